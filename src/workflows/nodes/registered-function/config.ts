import { ConfigFault } from '../config-fault.js';
import { choice, nodeConfig, OPTIONAL_PATH, TEMPLATE } from '../node-config.js';
import { checkJsonTemplate, checkNumber, checkOptionalTarget, checkTemplate } from '../texts.js';

/** Number types of function parameters, with their size in bytes. */
export const NUMBER_TYPES = {
  bool: 1,
  i8: 1,
  u8: 1,
  i16: 2,
  u16: 2,
  i32: 4,
  u32: 4,
  i64: 8,
  u64: 8,
  f32: 4,
  f64: 8,
} as const;

export type NumberType = keyof typeof NUMBER_TYPES;
/** The type of an array of numbers is the number type with the suffix `[]`, such as `i16[]`. */
export type ParameterType = NumberType | `${NumberType}[]` | 'string' | 'json';

const NUMBERS = Object.keys(NUMBER_TYPES) as NumberType[];
export const PARAMETER_TYPES: readonly ParameterType[] = [
  ...NUMBERS,
  ...NUMBERS.map((type) => `${type}[]` as const),
  'string',
  'json',
];

/** Calls a function of the host. The import is named `eea_fn_` plus the function name. */
export interface RegisteredFunctionConfig {
  readonly functionName: string;
  readonly inputs?: readonly { readonly type: ParameterType; readonly valueTemplate: string }[];
  readonly outputs?: readonly FunctionOutput[];
  /** Path of the return code; 0 means success. */
  readonly resultPath?: string;
}

export interface FunctionOutput {
  readonly type: ParameterType;
  readonly destinationPath?: string;
  /** Maximum size: bytes of text, or items of an array. Not used for numbers. */
  readonly maxLength?: number | string;
}

/** Returns the maximum size of an output in bytes of text or items of an array; 1 for a number. */
export function outputBytesOf({ type, maxLength }: FunctionOutput): number {
  return type in NUMBER_TYPES ? 1 : Number(maxLength ?? 0);
}

/** Maximum size of an output. */
const MAX_OUTPUT_BYTES = 65_536;

export const config = nodeConfig<RegisteredFunctionConfig>(
  {
    required: ['functionName'],
    properties: {
      functionName: { type: 'string', pattern: '^[A-Za-z0-9_]{1,64}$' },
      inputs: {
        type: 'array',
        maxItems: 10,
        items: {
          type: 'object',
          required: ['type', 'valueTemplate'],
          properties: { type: choice(...PARAMETER_TYPES), valueTemplate: TEMPLATE },
        },
      },
      outputs: {
        type: 'array',
        maxItems: 10,
        items: {
          type: 'object',
          required: ['type'],
          properties: {
            type: choice(...PARAMETER_TYPES),
            destinationPath: OPTIONAL_PATH,
            // Editors export this as text, which is empty if the type does not use it.
            maxLength: { anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^[0-9]{0,6}$' }] },
          },
        },
      },
      resultPath: OPTIONAL_PATH,
    },
  },
  ({ inputs = [], outputs = [], resultPath }) => {
    inputs.forEach(({ type, valueTemplate }, i) => checkOf(type)(`inputs.${i}.valueTemplate`, valueTemplate));
    outputs.forEach((output, i) => {
      checkOptionalTarget(`outputs.${i}.destinationPath`, output.destinationPath);
      const room = outputBytesOf(output);
      if (room < 1 || room > MAX_OUTPUT_BYTES)
        throw new ConfigFault(
          `outputs.${i}.maxLength`,
          `must be from 1 to ${MAX_OUTPUT_BYTES} for ${output.type}`,
        );
    });
    checkOptionalTarget('resultPath', resultPath);
  },
);

/**
 * Returns the function that validates the template of an input. Templates of numbers must be able to yield a number.
 */
function checkOf(type: ParameterType): (at: string, template: string) => void {
  if (type === 'json') return checkJsonTemplate;
  return type in NUMBER_TYPES && type !== 'bool' ? checkNumber : checkTemplate;
}
