import { mapSections, sized, unsigned, WasmReader } from '../../../lib/wasm/wasm-binary.js';

const [IMPORTS, GLOBALS, CODE] = [2, 6, 10];
const [FUNCTION, TABLE, MEMORY, GLOBAL] = [0, 1, 2, 3];
const [I32, MUTABLE] = [0x7f, 1];
/** Instructions that are written. */
const OP = {
  if: [0x04, 0x40],
  end: [0x0b],
  call: 0x10,
  drop: [0x1a],
  globalGet: 0x23,
  globalSet: 0x24,
  i32Const: 0x41,
  isZero: [0x45],
  subtract: [0x6b],
};
const LOOPS_PER_CHECK = 4_096;

/**
 * Returns a module of WebAssembly that calls one of its imported functions, `() => i32`, each time after 4,096 loops of
 * its code. The function ends the code by an exception, whatever it is doing. Code that neither loops nor recurs, and
 * single instructions that copy or fill memory, are not interrupted.
 *
 * Throws for instructions that it does not know: those with lanes, exceptions or references to other than functions.
 */
export function withLoopChecks(module: Uint8Array, importName: string): Uint8Array {
  const check = { call: -1, counter: 0 };
  return mapSections(module, (id, content) => {
    if (id === IMPORTS) readImports(new WasmReader(content), importName, check);
    if (id === GLOBALS) return withCounter(new WasmReader(content), check);
    if (id === CODE) return withChecks(new WasmReader(content), instructionsOf(importName, check));
    return content;
  });
}

/** What the check of a loop refers to: an imported function and a global variable, by their indexes. */
interface Check {
  call: number;
  counter: number;
}

function readImports(imports: WasmReader, importName: string, check: Check): void {
  let functions = 0;
  for (let left = imports.number(); left > 0; left--) {
    imports.sized();
    const name = Buffer.from(imports.sized()).toString();
    const kind = imports.byte();
    if (kind === FUNCTION) {
      if (name === importName) check.call = functions;
      functions++;
      imports.skipNumbers(1);
    } else if (kind === GLOBAL) {
      check.counter++;
      imports.skipNumbers(2);
    } else if (kind === TABLE || kind === MEMORY) {
      if (kind === TABLE) imports.byte();
      const HAS_MAXIMUM = 1;
      imports.skipNumbers(imports.byte() & HAS_MAXIMUM ? 2 : 1);
    } else throw new Error(`Unknown kind ${kind} of an import`);
  }
}

/** Appends the counter of loops to the global variables. Its index is the number of the others. */
function withCounter(globals: WasmReader, check: Check): Uint8Array {
  const count = globals.number();
  check.counter += count;
  const counter = [I32, MUTABLE, OP.i32Const, ...signed(LOOPS_PER_CHECK), ...OP.end];
  return Buffer.concat([Buffer.from(unsigned(count + 1)), globals.rest(), Buffer.from(counter)]);
}

/** Encodes a signed number of two bytes: at least 64 and below 8,192. */
const signed = (value: number): number[] => [(value & 0x7f) | 0x80, value >> 7];

/** `if (counter === 0) { call(); counter = LOOPS_PER_CHECK; } counter -= 1` */
function instructionsOf(importName: string, { call, counter }: Check): Uint8Array {
  if (call < 0 || counter === 0)
    throw new Error(`The WebAssembly module does not import ${importName} or has no global variable`);
  const get = [OP.globalGet, ...unsigned(counter)];
  const set = [OP.globalSet, ...unsigned(counter)];
  const reset = [OP.call, ...unsigned(call), ...OP.drop, OP.i32Const, ...signed(LOOPS_PER_CHECK), ...set];
  const count = [...get, OP.i32Const, 1, ...OP.subtract, ...set];
  return Buffer.from([...get, ...OP.isZero, ...OP.if, ...reset, ...OP.end, ...count]);
}

function withChecks(code: WasmReader, check: Uint8Array): Uint8Array {
  const count = code.number();
  const parts: Uint8Array[] = [Buffer.from(unsigned(count))];
  for (let i = 0; i < count; i++) parts.push(sized(withChecksInBody(code.sized(), check)));
  return Buffer.concat(parts);
}

function withChecksInBody(body: Uint8Array, check: Uint8Array): Uint8Array {
  const reader = new WasmReader(body);
  for (let locals = reader.number(); locals > 0; locals--) reader.skipNumbers(2);
  const parts: Uint8Array[] = [];
  let from = 0;
  while (reader.at < body.length) {
    const LOOP = 0x03;
    const isLoop = body[reader.at] === LOOP;
    skipInstruction(reader);
    if (!isLoop) continue;
    parts.push(body.subarray(from, reader.at), check);
    from = reader.at;
  }
  return Buffer.concat([...parts, body.subarray(from)]);
}

/** Ranges of instructions with the count of numbers that follow each, from the specification, section 5.4. */
const IMMEDIATES: readonly (readonly [from: number, to: number, numbers: number])[] = [
  [0x00, 0x01, 0], // unreachable, nop
  [0x02, 0x04, 1], // block, loop, if
  [0x05, 0x05, 0], // else
  [0x0b, 0x0b, 0], // end
  [0x0c, 0x0d, 1], // br, br_if
  [0x0f, 0x0f, 0], // return
  [0x10, 0x10, 1], // call
  [0x11, 0x11, 2], // call_indirect
  [0x1a, 0x1b, 0], // drop, select
  [0x20, 0x26, 1], // variables and tables
  [0x28, 0x3e, 2], // loads and stores
  [0x3f, 0x42, 1], // memory.size, memory.grow, integers
  [0x45, 0xc4, 0], // numeric
  [0xd0, 0xd0, 1], // ref.null
  [0xd1, 0xd1, 0], // ref.is_null
  [0xd2, 0xd2, 1], // ref.func
];
/** The same for the instructions of two bytes, whose first is `0xfc`. */
const IMMEDIATES_FC: typeof IMMEDIATES = [
  [0, 7, 0], // saturating truncation
  [8, 8, 2], // memory.init
  [9, 9, 1], // data.drop
  [10, 10, 2], // memory.copy
  [11, 11, 1], // memory.fill
  [12, 12, 2], // table.init
  [13, 13, 1], // elem.drop
  [14, 14, 2], // table.copy
  [15, 17, 1], // table.grow, table.size, table.fill
];
const UNKNOWN = 0xff;
function byOpcode(ranges: typeof IMMEDIATES): Uint8Array {
  const numbers = new Uint8Array(256).fill(UNKNOWN);
  for (const [from, to, count] of ranges) numbers.fill(count, from, to + 1);
  return numbers;
}
const NUMBERS = byOpcode(IMMEDIATES);
const NUMBERS_FC = byOpcode(IMMEDIATES_FC);

function skipInstruction(reader: WasmReader): void {
  const [BR_TABLE, F32_CONST, F64_CONST, PREFIX] = [0x0e, 0x43, 0x44, 0xfc];
  const opcode = reader.byte();
  if (opcode === F32_CONST) reader.at += 4;
  else if (opcode === F64_CONST) reader.at += 8;
  else if (opcode === BR_TABLE) reader.skipNumbers(reader.number() + 1);
  else {
    const numbers = opcode === PREFIX ? (NUMBERS_FC[reader.number()] ?? UNKNOWN) : NUMBERS[opcode]!;
    if (numbers === UNKNOWN) throw new Error(`Unknown instruction ${opcode.toString(16)}`);
    reader.skipNumbers(numbers);
  }
}
