import { ENGINE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Publishes a message to a topic of Google Pub/Sub. */
export const googlePublishNode: NodeKind = {
  type: 'GooglePublishNode',
  classes: ENGINE_CLASSES,
  run,
};
