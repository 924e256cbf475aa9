import { FLOW_CLASSES } from '../../graph/graph.js';
import type { NodeKind } from '../node-kind.js';
import { config, type LoopConfig } from './config.js';
import { embedded } from './emit.js';

export const loopNode: NodeKind<LoopConfig> = { type: 'LoopNode', classes: FLOW_CLASSES, config, embedded };
