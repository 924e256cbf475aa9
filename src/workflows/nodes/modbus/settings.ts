import type { ModbusBus } from '../../engine/edge-port.js';
import { invalidSetting } from '../../engine/run-error.js';
import { integerWithin, numberWithin } from '../run-values.js';
import * as setting from '../settings.js';

const TIMEOUT_MS = 5_000;
const MAX_TIMEOUT_MS = 30_000;
const BUS_TYPES = ['tcp', 'serial', 'asciiSerial'] as const;
const PARITIES = ['none', 'even', 'odd'] as const;

/** Maximum number of instructions of a node. */
export const MAX_INSTRUCTIONS = 100;
export const MAX_ADDRESS = 65_535;

/** Connection to a Modbus device. */
export const connection = setting.group({
  connectionTypeTemplate: setting.template,
  hostTemplate: setting.requiredTemplate,
  portTemplate: setting.number(502),
  pathTemplate: setting.requiredTemplate,
  baudRateTemplate: setting.number(9_600),
  parityTemplate: setting.template,
  dataBitsTemplate: setting.number(8),
  stopBitsTemplate: setting.number(1),
  startOfFrameCharTemplate: setting.template,
  unitIdTemplate: setting.number(1),
  timeoutTemplate: setting.number(TIMEOUT_MS),
});

type Connection = setting.Read<typeof connection>;

/** Device on a bus. */
export interface ModbusTarget {
  readonly bus: ModbusBus;
  readonly unitId: number;
  readonly timeoutMs: number;
}

/** Returns the device of a node. Throws a `RunFault` that names an invalid setting. */
export function targetOf(config: Connection, data: unknown): ModbusTarget {
  return {
    bus: busOf(config, data),
    unitId: integerWithin(config.unitIdTemplate(data), 'unitIdTemplate', 0, 255),
    timeoutMs: numberWithin(config.timeoutTemplate(data), 'timeoutTemplate', 1, MAX_TIMEOUT_MS),
  };
}

function busOf(config: Connection, data: unknown): ModbusBus {
  const type = oneOf(BUS_TYPES, config.connectionTypeTemplate(data), 'connectionTypeTemplate');
  if (type === 'tcp')
    return {
      type,
      host: config.hostTemplate(data),
      port: integerWithin(config.portTemplate(data), 'portTemplate', 1, 65_535),
    };
  const startOfFrame = config.startOfFrameCharTemplate(data);
  return {
    type,
    path: config.pathTemplate(data),
    baudRate: integerWithin(config.baudRateTemplate(data), 'baudRateTemplate', 50, 4_000_000),
    parity: oneOf(PARITIES, config.parityTemplate(data), 'parityTemplate'),
    dataBits: integerWithin(config.dataBitsTemplate(data), 'dataBitsTemplate', 5, 8),
    stopBits: integerWithin(config.stopBitsTemplate(data), 'stopBitsTemplate', 1, 2),
    ...(type === 'asciiSerial' && startOfFrame !== '' ? { startOfFrame } : {}),
  };
}

/** Returns a word of a template, the first one if it is blank. */
export function oneOf<W extends string>(words: readonly [W, ...W[]], given: string, at: string): W {
  const wanted = given.trim();
  if (wanted === '') return words[0];
  const found = words.find((word) => word === wanted);
  if (!found) throw invalidSetting(at, `must be one of ${words.join(', ')}`);
  return found;
}

/** Error of one instruction of a node. */
export interface InstructionError {
  readonly key: string;
  readonly type: string;
  readonly message: string;
}
