import type { ModbusSession } from '../../engine/edge-port.js';
import type { NodeRun } from '../../engine/node-run.js';
import { invalidSetting } from '../../engine/run-error.js';
import { compilePath } from '../../language/compile.js';
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

const TYPES = ['holding-register', 'holding-registers', 'coil'] as const;
/** Limit of the protocol for one request. */
const MAX_REGISTERS = 123;
const FALSE: ReadonlySet<unknown> = new Set(['', '0', 'false', 'null', 'undefined']);

const instructions = setting.list(
  setting.group({
    typeTemplate: setting.template,
    addressTemplate: setting.number(0),
    /** Renders the path of the values for several registers. */
    valueTemplate: setting.template,
    key: setting.text,
  }),
  MAX_INSTRUCTIONS,
);

const settings = setting.all(
  connection,
  setting.group({ destinationPath: setting.target }),
  setting.variant(
    'writeInstructionsType',
    {
      array: setting.group({ writeInstructions: instructions }),
      payloadPath: setting.group({ writeInstructions: setting.required(setting.path) }),
    },
    'array',
  ),
);

type Settings = setting.Read<typeof settings>;

interface Instruction {
  readonly key: string;
  readonly write: (session: ModbusSession) => Promise<void>;
}

export const run: NodeRun<Settings> = {
  settings,
  prepare: (config) => async (path) => {
    const { payload } = path;
    const { data } = payload;
    const wanted = instructionsOf(config, data);
    const target = targetOf(config, data);
    const results = new Map<string, boolean>();
    const errors: InstructionError[] = [];
    const writeAll = async (session: ModbusSession): Promise<void> => {
      for (const { key, write } of wanted) {
        const one = async () => {
          await write(session);
          results.set(key, true);
        };
        await orError(one, (error) => void errors.push({ key, ...error }));
      }
    };
    const edge = edgeOf(path);
    await orError(
      () => edge.modbus(target, writeAll),
      (error) => void errors.push({ key: '', ...error }),
    );
    config.destinationPath(payload, { ...Object.fromEntries(results), errors });
    return undefined;
  },
};

function instructionsOf(config: Settings, data: unknown): readonly Instruction[] {
  const given =
    config.writeInstructionsType === 'array'
      ? config.writeInstructions
      : instructions(config.writeInstructions(data), 'writeInstructions');
  return given.map(({ typeTemplate, addressTemplate, valueTemplate, key }, i) => {
    const at = `writeInstructions.${i}`;
    const type = oneOf(TYPES, typeTemplate(data), `${at}.typeTemplate`);
    const address = integerWithin(addressTemplate(data), `${at}.addressTemplate`, 0, MAX_ADDRESS);
    if (key === 'errors' || key === '__proto__') throw invalidSetting(`${at}.key`, `must not be ${key}`);
    const text = valueTemplate(data).trim();
    return { key: key || `addr-${address}`, write: writing(type, address, text, data, at) };
  });
}

function writing(
  type: (typeof TYPES)[number],
  address: number,
  text: string,
  data: unknown,
  at: string,
): Instruction['write'] {
  if (type === 'coil') return (session) => session.writeCoil(address, !FALSE.has(text.toLowerCase()));
  const given: unknown =
    type === 'holding-register' ? [text === '' ? NaN : Number(text)] : compilePath(text)(data);
  if (!Array.isArray(given) || given.length < 1 || given.length > MAX_REGISTERS)
    throw invalidSetting(`${at}.valueTemplate`, `must be the path of 1 to ${MAX_REGISTERS} numbers`);
  // Negative numbers are written in two's complement.
  const values = given.map(
    (value) => integerWithin(Number(value), `${at}.valueTemplate`, -32_768, 65_535) & 0xffff,
  );
  return (session) => session.writeRegisters(address, values);
}
