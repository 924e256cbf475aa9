import { groupOf } from '../../graph/graph.js';
import type { NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Ends a custom node. */
export const customNodeCapNode: NodeKind = {
  type: 'CustomNodeCapNode',
  classes: ['customNode'],
  check: (node) => (groupOf(node) ? `${node.type} must not be inside a loop.` : undefined),
  run,
};
