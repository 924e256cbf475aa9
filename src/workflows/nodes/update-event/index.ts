import type { NodeKind } from '../node-kind.js';
import { RESOURCE_CLASSES } from '../resources/call-api.js';
import { run } from './run.js';

/** Changes events. */
export const updateEventNode: NodeKind = { type: 'UpdateEventNode', classes: RESOURCE_CLASSES, run };
