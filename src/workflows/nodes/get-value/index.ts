import { FLOW_CLASSES } from '../../graph/graph.js';
import type { NodeKind } from '../node-kind.js';
import { config, type GetValueConfig } from './config.js';
import { embedded } from './emit.js';
import { run } from './run.js';

export const getValueNode: NodeKind<GetValueConfig> = {
  type: 'GetValueNode',
  classes: FLOW_CLASSES,
  config,
  embedded,
  run,
};
