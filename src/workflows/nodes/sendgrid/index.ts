import type { NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Sends a mail with SendGrid. */
export const sendgridEmailNode: NodeKind = {
  type: 'SendgridEmailNode',
  classes: ['cloud', 'customNode', 'edge', 'experience'],
  run,
};
