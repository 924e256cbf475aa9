import { ENGINE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Sends a mail with SendGrid. */
export const sendgridEmailNode: NodeKind = {
  type: 'SendgridEmailNode',
  classes: ENGINE_CLASSES,
  run,
};
