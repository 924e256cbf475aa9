import { ENGINE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Stores an object in Amazon S3. */
export const awsS3PutNode: NodeKind = {
  type: 'AwsS3PutNode',
  classes: ENGINE_CLASSES,
  run,
};
