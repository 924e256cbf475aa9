import { FLOW_CLASSES, groupOf } from '../../graph/graph.js';
import type { NodeKind } from '../node-kind.js';
import { config, type LoopCapConfig } from './config.js';
import { embedded } from './emit.js';
import { run } from './run.js';

export const loopCapNode: NodeKind<LoopCapConfig> = {
  type: 'LoopCapNode',
  classes: FLOW_CLASSES,
  check: (node, { rules }) =>
    rules.compilesNodes && !groupOf(node) ? `${node.type} must be inside a loop.` : undefined,
  config,
  embedded,
  run,
};
