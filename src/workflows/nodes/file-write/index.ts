import { EDGE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Writes a file of an edge device. */
export const fileWriteNode: NodeKind = { type: 'FileWriteNode', classes: EDGE_CLASSES, run };
