import { EDGE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Reads a file of an edge device. */
export const fileReadNode: NodeKind = { type: 'FileReadNode', classes: EDGE_CLASSES, run };
