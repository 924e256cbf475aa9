import { FLOW_CLASSES } from '../../graph/graph.js';
import type { NodeKind } from '../node-kind.js';
import { config, type LatchConfig } from './config.js';
import { embedded } from './emit.js';
import { run } from './run.js';

export const latchNode: NodeKind<LatchConfig> = {
  type: 'LatchNode',
  classes: FLOW_CLASSES,
  config,
  embedded,
  run,
};
