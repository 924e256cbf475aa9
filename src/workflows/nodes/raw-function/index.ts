import type { NodeKind } from '../node-kind.js';
import { config, type RawFunctionConfig } from './config.js';
import { run } from './run.js';

export const rawFunctionNode: NodeKind<RawFunctionConfig> = {
  type: 'RawFunctionNode',
  classes: ['cloud', 'customNode', 'edge', 'experience'],
  config,
  run,
};
