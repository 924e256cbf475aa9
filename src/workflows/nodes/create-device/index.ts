import type { NodeKind } from '../node-kind.js';
import { RESOURCE_CLASSES } from '../resources/call-api.js';
import { run } from './run.js';

/** Creates a device. */
export const createDeviceNode: NodeKind = { type: 'CreateDeviceNode', classes: RESOURCE_CLASSES, run };
