import {
  NUMBER_TYPES,
  outputBytesOf,
  type FunctionOutput,
  type NumberType,
  type RegisteredFunctionConfig,
} from './config.js';
import type { WasmType } from '../../embedded/bundle.js';
import { Code, code } from '../../embedded/code.js';
import type { Emitter, NodeCode } from '../../embedded/emitter.js';
import { optionalPath, templateValue } from '../../embedded/template-emitter.js';

const NUMBERS = Object.keys(NUMBER_TYPES) as NumberType[];

/** Code for an input or output: statements before the call, arguments, statements after it. */
interface Passed {
  readonly before: Code;
  readonly arguments: readonly Code[];
  readonly params: readonly WasmType[];
  readonly after?: Code;
}

export const embedded: NodeCode<RegisteredFunctionConfig> = {
  runtime: code`import * as functions from '../../nodes/registered-function/wasm';`,
  emit: ({ functionName, inputs = [], outputs = [], resultPath }, to) => {
    const given = inputs.map((input, i) => passIn(input, i, to));
    const taken = outputs.map((output, i) => passOut(output, i, to));
    const passed = [...given, ...taken];
    const called = to.import(
      functionName,
      passed.flatMap(({ params }) => params),
    );
    return code`
    const call = new functions.Call(run);
    ${passed.map(({ before }) => before)}
    if (call.failed) return FAILED;
    const returned = ${called}(${Code.list(passed.flatMap((each) => each.arguments))});
    if (call.returned(returned, ${optionalPath(to, resultPath)})) {
      ${taken.flatMap(({ after }) => after ?? [])}
    }
    return call.failed ? FAILED : 0;`;
  },
};

type FunctionInput = NonNullable<RegisteredFunctionConfig['inputs']>[number];

function passIn({ type, valueTemplate }: FunctionInput, i: number, to: Emitter): Passed {
  const name = Code.identifier(`input${i}`);
  const length = Code.identifier(`length${i}`);
  if (isNumber(type)) {
    const wasm = wasmTypeOf(type);
    const converted = code`call.number(${templateValue(to, valueTemplate, code`functions`)}, ${NUMBERS.indexOf(type)})`;
    return {
      before: code`const ${name} = ${CONVERSIONS[type]}(${converted});`,
      arguments: [name],
      params: [wasm],
    };
  }
  const pointer =
    type === 'string'
      ? code`call.text(${to.text(valueTemplate)})`
      : type === 'json'
        ? code`call.json(${to.json(valueTemplate)})`
        : code`call.list(${templateValue(to, valueTemplate, code`functions`)}, ${NUMBERS.indexOf(itemType(type))})`;
  return {
    before: code`const ${name} = ${pointer}; const ${length} = call.length;`,
    arguments: [name, length],
    params: ['i32', 'i32'],
  };
}

function passOut(output: FunctionOutput, i: number, to: Emitter): Passed {
  const { type, destinationPath } = output;
  const name = Code.identifier(`output${i}`);
  const written = Code.identifier(`written${i}`);
  const path = destinationPath ? to.path(destinationPath) : undefined;
  if (isNumber(type))
    return {
      before: code`const ${name} = call.room(${NUMBER_TYPES[type]});`,
      arguments: [name],
      params: ['i32'],
      after: path && code`call.takeNumber(${name}, ${NUMBERS.indexOf(type)}, ${path});`,
    };
  const room = outputBytesOf(output);
  const isList = type !== 'string' && type !== 'json';
  const bytes = isList ? room * NUMBER_TYPES[itemType(type)] : room;
  const place = code`${name}, ${room}, ${written}`;
  const taken =
    type === 'string'
      ? code`call.takeText(${place}, `
      : type === 'json'
        ? code`call.takeJson(${place}, `
        : code`call.takeList(${place}, ${NUMBERS.indexOf(itemType(type))}, `;
  return {
    before: code`const ${name} = call.room(${bytes}); const ${written} = call.room(4);`,
    arguments: [name, code`${room}`, written],
    params: ['i32', 'i32', 'i32'],
    after: path && code`${taken}${path});`,
  };
}

function isNumber(type: string): type is NumberType {
  return type in NUMBER_TYPES;
}

/** Returns the item type of a list type. */
function itemType(type: string): NumberType {
  return type.slice(0, -'[]'.length) as NumberType;
}

function wasmTypeOf(type: NumberType): WasmType {
  if (type === 'f32' || type === 'f64') return type;
  return type === 'i64' || type === 'u64' ? 'i64' : 'i32';
}

/** Conversions of numbers within range. The AssemblyScript cast of a negative number to an unsigned type traps. */
const CONVERSIONS: Record<NumberType, Code> = {
  bool: code`<i32>`,
  i8: code`<i32>`,
  u8: code`<i32>`,
  i16: code`<i32>`,
  u16: code`<i32>`,
  i32: code`<i32>`,
  u32: code`<i32><u32>`,
  i64: code`<i64>`,
  u64: code`<i64><u64>`,
  f32: code`<f32>`,
  f64: code`<f64>`,
};
