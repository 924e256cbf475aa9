import type { NodeKind } from '../node-kind.js';
import { RESOURCE_CLASSES } from '../resources/call-api.js';
import { run } from './run.js';

/** Creates an access key for devices. Its secret is in the result only. */
export const createAccessKeyNode: NodeKind = { type: 'CreateAccessKeyNode', classes: RESOURCE_CLASSES, run };
