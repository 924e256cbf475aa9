import { FLOW_CLASSES } from '../../graph/graph.js';
import type { NodeKind } from '../node-kind.js';
import { config, type DeviceChangeStateConfig } from './config.js';
import { embedded } from './emit.js';
import { run } from './run.js';

export const deviceChangeStateNode: NodeKind<DeviceChangeStateConfig> = {
  type: 'DeviceChangeStateNode',
  classes: FLOW_CLASSES,
  config,
  embedded,
  run,
};
