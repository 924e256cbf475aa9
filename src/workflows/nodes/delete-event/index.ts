import type { NodeKind } from '../node-kind.js';
import { RESOURCE_CLASSES } from '../resources/call-api.js';
import { run } from './run.js';

/** Deletes events. */
export const deleteEventNode: NodeKind = { type: 'DeleteEventNode', classes: RESOURCE_CLASSES, run };
