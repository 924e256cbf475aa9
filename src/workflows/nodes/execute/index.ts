import { EDGE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Executes a command in the shell of an edge device. */
export const executeNode: NodeKind = { type: 'ExecuteNode', classes: EDGE_CLASSES, run };
