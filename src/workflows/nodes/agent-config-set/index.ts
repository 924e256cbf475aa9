import { EDGE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Changes settings of the gateway agent. */
export const agentConfigSetNode: NodeKind = { type: 'AgentConfigSetNode', classes: EDGE_CLASSES, run };
