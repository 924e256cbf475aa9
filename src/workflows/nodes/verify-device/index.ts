import type { NodeKind } from '../node-kind.js';
import { RESOURCE_CLASSES } from '../resources/call-api.js';
import { run } from './run.js';

/** Continues with output 1 if an experience user or group has access to a device, otherwise with output 0. */
export const verifyDeviceNode: NodeKind = { type: 'VerifyDeviceNode', classes: RESOURCE_CLASSES, run };
