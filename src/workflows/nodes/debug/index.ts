import { FLOW_CLASSES } from '../../graph/graph.js';
import type { NodeKind } from '../node-kind.js';
import { config, type DebugConfig } from './config.js';
import { embedded } from './emit.js';
import { run } from './run.js';

export const debugNode: NodeKind<DebugConfig> = {
  type: 'DebugNode',
  classes: FLOW_CLASSES,
  config,
  embedded,
  run,
};
