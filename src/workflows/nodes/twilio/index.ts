import { ENGINE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Sends text messages with Twilio. */
export const twilioSmsNode: NodeKind = {
  type: 'TwilioSmsNode',
  classes: ENGINE_CLASSES,
  run,
};
