import { ENGINE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Continues with output 1 if a value has changed since it was last compared, otherwise with output 0. */
export const branchOnChangeNode: NodeKind = { type: 'BranchOnChangeNode', classes: ENGINE_CLASSES, run };
