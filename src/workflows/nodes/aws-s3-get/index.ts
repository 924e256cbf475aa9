import type { NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Reads an object of Amazon S3. */
export const awsS3GetNode: NodeKind = {
  type: 'AwsS3GetNode',
  classes: ['cloud', 'customNode', 'edge', 'experience'],
  run,
};
