import { ENGINE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Sends a message to a channel of Slack. */
export const slackNode: NodeKind = {
  type: 'SlackNode',
  classes: ENGINE_CLASSES,
  run,
};
