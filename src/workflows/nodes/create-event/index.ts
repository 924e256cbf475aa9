import type { NodeKind } from '../node-kind.js';
import { RESOURCE_CLASSES } from '../resources/call-api.js';
import { run } from './run.js';

/** Creates an event. */
export const createEventNode: NodeKind = { type: 'CreateEventNode', classes: RESOURCE_CLASSES, run };
