import { EDGE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Finds peripherals of an edge device. */
export const getPeripheralNode: NodeKind = { type: 'GetPeripheralNode', classes: EDGE_CLASSES, run };
