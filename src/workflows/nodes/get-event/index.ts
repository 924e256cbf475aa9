import type { NodeKind } from '../node-kind.js';
import { RESOURCE_CLASSES } from '../resources/call-api.js';
import { run } from './run.js';

/** Finds events. */
export const getEventNode: NodeKind = { type: 'GetEventNode', classes: RESOURCE_CLASSES, run };
