import { FLOW_CLASSES } from '../../graph/graph.js';
import type { NodeKind } from '../node-kind.js';
import { config, type JsonEncodeConfig } from './config.js';
import { embedded } from './emit.js';
import { run } from './run.js';

export const jsonEncodeNode: NodeKind<JsonEncodeConfig> = {
  type: 'JsonEncodeNode',
  classes: FLOW_CLASSES,
  config,
  embedded,
  run,
};
