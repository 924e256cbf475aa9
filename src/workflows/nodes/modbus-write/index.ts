import { EDGE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Writes registers and bits of a Modbus device. */
export const modbusWriteNode: NodeKind = { type: 'ModbusWriteNode', classes: EDGE_CLASSES, run };
