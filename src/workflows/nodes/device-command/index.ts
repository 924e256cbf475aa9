import type { NodeKind } from '../node-kind.js';
import { RESOURCE_CLASSES } from '../resources/call-api.js';
import { run } from './run.js';

/** Sends a command to devices. */
export const deviceSendCommandNode: NodeKind = {
  type: 'DeviceSendCommandNode',
  classes: RESOURCE_CLASSES,
  run,
};
