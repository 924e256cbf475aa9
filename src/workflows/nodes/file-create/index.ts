import type { NodeKind } from '../node-kind.js';
import { RESOURCE_CLASSES } from '../resources/call-api.js';
import { run } from './run.js';

/** Stores a public or private file of the application. */
export const fileCreateNode: NodeKind = { type: 'FileCreateNode', classes: RESOURCE_CLASSES, run };
