import type { NodeKind } from '../node-kind.js';
import { RESOURCE_CLASSES } from '../resources/call-api.js';
import { run } from './run.js';

/** Reads a public or private file of the application. */
export const fileGetNode: NodeKind = { type: 'FileGetNode', classes: RESOURCE_CLASSES, run };
