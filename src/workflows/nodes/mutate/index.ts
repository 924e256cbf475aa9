import { FLOW_CLASSES } from '../../graph/graph.js';
import type { NodeKind } from '../node-kind.js';
import { config, type MutateConfig } from './config.js';
import { embedded } from './emit.js';
import { run } from './run.js';

export const mutateNode: NodeKind<MutateConfig> = {
  type: 'MutateNode',
  classes: FLOW_CLASSES,
  config,
  embedded,
  run,
};
