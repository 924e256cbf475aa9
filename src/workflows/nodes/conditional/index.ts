import { FLOW_CLASSES } from '../../graph/graph.js';
import type { NodeKind } from '../node-kind.js';
import { config, type ConditionalConfig } from './config.js';
import { embedded } from './emit.js';
import { run } from './run.js';

export const conditionalNode: NodeKind<ConditionalConfig> = {
  type: 'ConditionalNode',
  classes: FLOW_CLASSES,
  config,
  embedded,
  run,
};
