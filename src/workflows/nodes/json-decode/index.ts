import { FLOW_CLASSES } from '../../graph/graph.js';
import type { NodeKind } from '../node-kind.js';
import { config, type JsonDecodeConfig } from './config.js';
import { embedded } from './emit.js';
import { run } from './run.js';

export const jsonDecodeNode: NodeKind<JsonDecodeConfig> = {
  type: 'JsonDecodeNode',
  classes: FLOW_CLASSES,
  config,
  embedded,
  run,
};
