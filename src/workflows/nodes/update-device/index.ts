import type { NodeKind } from '../node-kind.js';
import { RESOURCE_CLASSES } from '../resources/call-api.js';
import { run } from './run.js';

/** Changes a device. */
export const updateDeviceNode: NodeKind = { type: 'UpdateDeviceNode', classes: RESOURCE_CLASSES, run };
