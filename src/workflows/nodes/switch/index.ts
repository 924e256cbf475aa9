import { FLOW_CLASSES } from '../../graph/graph.js';
import type { NodeKind } from '../node-kind.js';
import { config, type SwitchConfig } from './config.js';
import { embedded } from './emit.js';
import { run } from './run.js';

export const switchNode: NodeKind<SwitchConfig> = {
  type: 'SwitchNode',
  classes: FLOW_CLASSES,
  config,
  embedded,
  run,
};
