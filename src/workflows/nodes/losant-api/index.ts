import type { NodeKind } from '../node-kind.js';
import { RESOURCE_CLASSES } from '../resources/call-api.js';
import { run } from './run.js';

/** Calls an operation of the API. */
export const losantApiNode: NodeKind = { type: 'LosantApiNode', classes: RESOURCE_CLASSES, run };
