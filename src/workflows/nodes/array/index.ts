import { FLOW_CLASSES } from '../../graph/graph.js';
import type { NodeKind } from '../node-kind.js';
import { config, type ArrayConfig } from './config.js';
import { embedded } from './emit.js';
import { run } from './run.js';

export const arrayNode: NodeKind<ArrayConfig> = {
  type: 'ArrayNode',
  classes: FLOW_CLASSES,
  config,
  embedded,
  run,
};
