import { FLOW_CLASSES } from '../../graph/graph.js';
import type { NodeKind } from '../node-kind.js';
import { config, type DelayConfig } from './config.js';
import { embedded } from './emit.js';
import { run } from './run.js';

export const delayNode: NodeKind<DelayConfig> = {
  type: 'DelayNode',
  classes: FLOW_CLASSES,
  config,
  embedded,
  run,
};
