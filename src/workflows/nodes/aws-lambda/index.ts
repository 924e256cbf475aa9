import { ENGINE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Invokes a function of AWS Lambda. */
export const awsLambdaNode: NodeKind = {
  type: 'AwsLambdaNode',
  classes: ENGINE_CLASSES,
  run,
};
