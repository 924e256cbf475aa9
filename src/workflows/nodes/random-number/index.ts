import { FLOW_CLASSES } from '../../graph/graph.js';
import type { NodeKind } from '../node-kind.js';
import { config, type RandomNumberConfig } from './config.js';
import { embedded } from './emit.js';
import { run } from './run.js';

export const randomNumberNode: NodeKind<RandomNumberConfig> = {
  type: 'RandomNumberNode',
  classes: FLOW_CLASSES,
  config,
  embedded,
  run,
};
