import { EDGE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Reads settings of the gateway agent. */
export const agentConfigGetNode: NodeKind = { type: 'AgentConfigGetNode', classes: EDGE_CLASSES, run };
