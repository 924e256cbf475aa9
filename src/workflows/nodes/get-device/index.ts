import type { NodeKind } from '../node-kind.js';
import { RESOURCE_CLASSES } from '../resources/call-api.js';
import { run } from './run.js';

/** Finds devices. */
export const getDeviceNode: NodeKind = { type: 'GetDeviceNode', classes: RESOURCE_CLASSES, run };
