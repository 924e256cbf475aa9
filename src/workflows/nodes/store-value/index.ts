import { FLOW_CLASSES } from '../../graph/graph.js';
import type { NodeKind } from '../node-kind.js';
import { config, type StoreValueConfig } from './config.js';
import { embedded } from './emit.js';
import { run } from './run.js';

export const storeValueNode: NodeKind<StoreValueConfig> = {
  type: 'StoreValueNode',
  classes: FLOW_CLASSES,
  config,
  embedded,
  run,
};
