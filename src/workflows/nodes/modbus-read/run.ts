import type { ModbusSession } from '../../engine/edge-port.js';
import type { NodeRun } from '../../engine/node-run.js';
import { invalidSetting } from '../../engine/run-error.js';
import { edgeOf, orError } from '../edge/edge-of.js';
import {
  connection,
  MAX_ADDRESS,
  MAX_INSTRUCTIONS,
  oneOf,
  targetOf,
  type InstructionError,
} from '../modbus/settings.js';
import { integerWithin } from '../run-values.js';
import * as setting from '../settings.js';

const IDENTIFICATION = 'read-device-identification';
const TYPES = ['holding-register', 'input-register', 'discrete-input', 'coil', IDENTIFICATION] as const;
/** Limits of the protocol for one request. */
const MAX_REGISTERS = 125;
const MAX_BITS = 2_000;

const instructions = setting.list(
  setting.group({
    typeTemplate: setting.template,
    addressTemplate: setting.number(0),
    lengthTemplate: setting.number(1),
    key: setting.text,
  }),
  MAX_INSTRUCTIONS,
);

const settings = setting.all(
  connection,
  setting.group({
    endiannessTemplate: setting.template,
    areUnsignedInts: setting.flag(),
    destinationPath: setting.required(setting.target),
  }),
  setting.variant(
    'readInstructionsType',
    {
      array: setting.group({ readInstructions: instructions }),
      payloadPath: setting.group({ readInstructions: setting.required(setting.path) }),
    },
    'array',
  ),
);

type Settings = setting.Read<typeof settings>;

interface Instruction {
  readonly type: (typeof TYPES)[number];
  readonly address: number;
  readonly length: number;
  readonly key: string;
}

export const run: NodeRun<Settings> = {
  settings,
  prepare: (config) => async (path) => {
    const { payload } = path;
    const { data } = payload;
    const wanted = instructionsOf(config, data);
    const target = targetOf(config, data);
    const isLittle =
      oneOf(['big', 'little'], config.endiannessTemplate(data), 'endiannessTemplate') === 'little';
    const valueOf = (bytes: Buffer, at: number): number => {
      if (isLittle) return config.areUnsignedInts ? bytes.readUInt16LE(at) : bytes.readInt16LE(at);
      return config.areUnsignedInts ? bytes.readUInt16BE(at) : bytes.readInt16BE(at);
    };
    const values = new Map<string, unknown>();
    const errors: InstructionError[] = [];
    const read = async (session: ModbusSession): Promise<void> => {
      for (const instruction of wanted) {
        const { key } = instruction;
        const one = async () => void values.set(key, await readOne(session, instruction, valueOf));
        await orError(one, (error) => void errors.push({ key, ...error }));
      }
    };
    const edge = edgeOf(path);
    await orError(
      () => edge.modbus(target, read),
      (error) => void errors.push({ key: '', ...error }),
    );
    config.destinationPath(payload, { ...Object.fromEntries(values), errors });
    return undefined;
  },
};

async function readOne(
  session: ModbusSession,
  { type, address, length }: Instruction,
  valueOf: (bytes: Buffer, at: number) => number,
): Promise<unknown> {
  if (type === IDENTIFICATION) return session.identify();
  const found = await session.read(type, address, length);
  if (!Buffer.isBuffer(found)) return found;
  return Array.from({ length: found.length >> 1 }, (_, i) => valueOf(found, i * 2));
}

function instructionsOf(config: Settings, data: unknown): readonly Instruction[] {
  const given =
    config.readInstructionsType === 'array'
      ? config.readInstructions
      : instructions(config.readInstructions(data), 'readInstructions');
  return given.map(({ typeTemplate, addressTemplate, lengthTemplate, key }, i) => {
    const at = `readInstructions.${i}`;
    const type = oneOf(TYPES, typeTemplate(data), `${at}.typeTemplate`);
    const address = integerWithin(addressTemplate(data), `${at}.addressTemplate`, 0, MAX_ADDRESS);
    const max = type.endsWith('register') ? MAX_REGISTERS : MAX_BITS;
    const length = integerWithin(lengthTemplate(data), `${at}.lengthTemplate`, 1, max);
    if (key === 'errors' || key === '__proto__') throw invalidSetting(`${at}.key`, `must not be ${key}`);
    return { type, address, length, key: key || `addr-${address}` };
  });
}
