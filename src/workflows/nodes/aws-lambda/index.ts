import type { NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Invokes a function of AWS Lambda. */
export const awsLambdaNode: NodeKind = {
  type: 'AwsLambdaNode',
  classes: ['cloud', 'customNode', 'edge', 'experience'],
  run,
};
