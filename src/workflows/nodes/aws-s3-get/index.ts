import { ENGINE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Reads an object of Amazon S3. */
export const awsS3GetNode: NodeKind = {
  type: 'AwsS3GetNode',
  classes: ENGINE_CLASSES,
  run,
};
