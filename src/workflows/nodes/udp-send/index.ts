import { EDGE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Sends a datagram. */
export const udpSendNode: NodeKind = { type: 'UdpSendNode', classes: EDGE_CLASSES, run };
