import { FLOW_CLASSES } from '../../graph/graph.js';
import type { NodeKind } from '../node-kind.js';
import { config, type RegisteredFunctionConfig } from './config.js';
import { embedded } from './emit.js';

export const registeredFunctionNode: NodeKind<RegisteredFunctionConfig> = {
  type: 'RegisteredFunctionNode',
  classes: FLOW_CLASSES,
  config,
  embedded,
};
