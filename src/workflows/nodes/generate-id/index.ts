import { FLOW_CLASSES } from '../../graph/graph.js';
import type { NodeKind } from '../node-kind.js';
import { config, type GenerateIdConfig } from './config.js';
import { embedded } from './emit.js';
import { run } from './run.js';

export const generateIdNode: NodeKind<GenerateIdConfig> = {
  type: 'GenerateIdNode',
  classes: FLOW_CLASSES,
  config,
  embedded,
  run,
};
