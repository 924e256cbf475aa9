import { ENGINE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Sends a message to a queue of Amazon SQS. */
export const sqsSendNode: NodeKind = {
  type: 'SqsSendNode',
  classes: ENGINE_CLASSES,
  run,
};
