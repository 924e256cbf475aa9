import { FLOW_CLASSES } from '../../graph/graph.js';
import type { NodeKind } from '../node-kind.js';
import { config, type ThrowErrorConfig } from './config.js';
import { embedded } from './emit.js';
import { run } from './run.js';

export const throwErrorNode: NodeKind<ThrowErrorConfig> = {
  type: 'ThrowErrorNode',
  classes: FLOW_CLASSES,
  config,
  embedded,
  run,
};
