import { FLOW_CLASSES } from '../../graph/graph.js';
import type { NodeKind } from '../node-kind.js';
import { config, type LoopConfig } from './config.js';
import { embedded } from './emit.js';
import { run } from './run.js';

export const loopNode: NodeKind<LoopConfig> = {
  type: 'LoopNode',
  classes: FLOW_CLASSES,
  check: (node, { rules }) =>
    node.config?.parallel === true && !rules.allowsParallelLoops
      ? `A parallel loop is not valid for ${rules.name} workflows.`
      : undefined,
  config,
  embedded,
  run,
};
