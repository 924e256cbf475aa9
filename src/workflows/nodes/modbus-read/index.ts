import { EDGE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Reads registers and bits of a Modbus device. */
export const modbusReadNode: NodeKind = { type: 'ModbusReadNode', classes: EDGE_CLASSES, run };
