import { FLOW_CLASSES } from '../../graph/graph.js';
import type { NodeKind } from '../node-kind.js';
import { config, type MathConfig } from './config.js';
import { embedded } from './emit.js';
import { run } from './run.js';

export const mathNode: NodeKind<MathConfig> = {
  type: 'MathNode',
  classes: FLOW_CLASSES,
  config,
  embedded,
  run,
};
