import type { NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Replies to the caller of a webhook that waits for a reply. */
export const webhookReplyNode: NodeKind = {
  type: 'WebhookReplyNode',
  classes: ['cloud', 'customNode'],
  run,
};
