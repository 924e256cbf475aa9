import { ENGINE_CLASSES, type NodeKind } from '../node-kind.js';
import { config, type RawFunctionConfig } from './config.js';
import { run } from './run.js';

export const rawFunctionNode: NodeKind<RawFunctionConfig> = {
  type: 'RawFunctionNode',
  classes: ENGINE_CLASSES,
  config,
  run,
};
