import { parseJson, writeJson } from '../../../embedded/runtime/json';
import { isShort } from '../../../embedded/runtime/memory';
import { Path } from '../../../embedded/runtime/path';
import { FAILED, Run } from '../../../embedded/runtime/run';
import { decodeUtf8, encodeUtf8, lengthInUtf8 } from '../../../embedded/runtime/utf8';
import { Value } from '../../../embedded/runtime/value';
import { numberIn } from '../../../embedded/runtime/number-said';
import { put } from '../../../embedded/runtime/put';

export { referred, written } from '../../../embedded/runtime/template-value';

/** Types of numbers, with the same values as in the compiler. */
export const enum NumberType {
  Bool,
  I8,
  U8,
  I16,
  U16,
  I32,
  U32,
  I64,
  U64,
  F32,
  F64,
}

/** Returns the size of a number in bytes as a power of two. */
function widthOf(type: i32): i32 {
  if (type <= NumberType.U8) return 0;
  if (type <= NumberType.U16) return 1;
  return type <= NumberType.U32 || type == NumberType.F32 ? 2 : 3;
}

/** Checks whether a number fits its type: an integer within range, or any number for floating-point types. */
function fits(n: f64, type: i32): bool {
  if (type >= NumberType.F32) return !isNaN(n);
  if (n != Math.floor(n)) return false;
  if (type == NumberType.Bool) return n == 0 || n == 1;
  const width = widthOf(type);
  let values: f64 = 256;
  for (let i = 0; i < width; i++) values *= values;
  // Signed types have odd numbers; half of their values are negative.
  const least: f64 = type & 1 ? -values / 2 : 0;
  return n >= least && n < least + values;
}

/** Returns a value as a number; `true` and `false` are 1 and 0 if the type is boolean. */
function numberOf(value: Value, type: i32): f64 {
  if (type == NumberType.Bool && value.isText) {
    if (value.asText == 'true') return 1;
    if (value.asText == 'false') return 0;
  }
  return numberIn(value);
}

function writeNumber(at: usize, n: f64, type: i32): void {
  switch (type) {
    case NumberType.U32:
      store<u32>(at, <u32>n);
      break;
    case NumberType.I64:
      store<i64>(at, <i64>n);
      break;
    case NumberType.U64:
      store<u64>(at, <u64>n);
      break;
    case NumberType.F32:
      store<f32>(at, <f32>n);
      break;
    case NumberType.F64:
      store<f64>(at, n);
      break;
    default: {
      const integer = <i32>n;
      const width = widthOf(type);
      if (width == 0) store<u8>(at, <u8>integer);
      else if (width == 1) store<u16>(at, <u16>integer);
      else store<i32>(at, integer);
    }
  }
}

function readNumber(at: usize, type: i32): Value {
  switch (type) {
    case NumberType.Bool:
      return Value.boolean(load<u8>(at) != 0);
    case NumberType.I8:
      return Value.number(load<i8>(at));
    case NumberType.U8:
      return Value.number(load<u8>(at));
    case NumberType.I16:
      return Value.number(load<i16>(at));
    case NumberType.U16:
      return Value.number(load<u16>(at));
    case NumberType.I32:
      return Value.number(load<i32>(at));
    case NumberType.U32:
      return Value.number(load<u32>(at));
    case NumberType.I64:
      return Value.number(<f64>load<i64>(at));
    case NumberType.U64:
      return Value.number(<f64>load<u64>(at));
    case NumberType.F32:
      return Value.number(load<f32>(at));
    default:
      return Value.number(load<f64>(at));
  }
}

/** Call of a host function: its arguments, output buffers and return value. */
@final
export class Call {
  /** Whether the run has failed. If so, the rest of the call is skipped. */
  failed: bool = false;
  /** Number of bytes of the last text, or items of the last list, that was passed. */
  length: i32 = 0;
  /** Keeps memory passed by pointer alive during the call. */
  private readonly held: Array<StaticArray<u8>> = [];
  private input: i32 = -1;

  constructor(private readonly run: Run) {}

  /** Allocates zeroed bytes and returns the pointer. Host functions take pointers as integers. */
  room(bytes: i32): i32 {
    if (isShort(bytes)) {
      this.fail('RangeError', 'the call needs too much memory');
      return 0;
    }
    const room = new StaticArray<u8>(bytes);
    this.held.push(room);
    return <i32>changetype<usize>(room);
  }

  /** Returns a numeric argument. */
  number(value: Value, type: i32): f64 {
    this.input++;
    const n = numberOf(value, type);
    if (fits(n, type)) return n;
    this.refuse('a number of its type');
    return 0;
  }

  /** Returns the pointer to a text argument. */
  text(text: string): i32 {
    this.input++;
    this.length = lengthInUtf8(text);
    const at = this.room(this.length);
    if (at != 0) encodeUtf8(text, <usize>at);
    return at;
  }

  /** Returns the pointer to a JSON argument. */
  json(value: Value): i32 {
    if (!value.isUndefined) return this.text(writeJson(value));
    this.input++;
    this.refuse('JSON');
    return 0;
  }

  /** Returns the pointer to a list of numbers, given as a list or as JSON. */
  list(value: Value, type: i32): i32 {
    const list = value.isText ? parseJson(value.asText) : value;
    this.input++;
    if (list === null || !list.isList) {
      this.refuse('a list');
      return 0;
    }
    const items = list.items;
    const width = widthOf(type);
    const at = this.room(items.length << width);
    this.length = items.length;
    for (let i = 0; at != 0 && i < items.length; i++) {
      const n = numberOf(items[i], type);
      if (fits(n, type)) writeNumber(at + (i << width), n, type);
      else this.refuse('a list of numbers of its type');
    }
    return at;
  }

  /** Records the return code of the function. Returns whether the function wrote its outputs. */
  returned(code: i32, resultPath: Path | null): bool {
    if (resultPath !== null) this.put(resultPath, Value.number(code));
    return code == 0 && !this.failed;
  }

  takeNumber(at: i32, type: i32, to: Path): void {
    this.put(to, readNumber(at, type));
  }

  takeList(at: i32, room: i32, count: i32, type: i32, to: Path): void {
    const length = this.written(room, count);
    const list = Value.list();
    for (let i = 0; i < length; i++) list.items.push(readNumber(at + (i << widthOf(type)), type));
    this.put(to, list);
  }

  takeText(at: i32, room: i32, count: i32, to: Path): void {
    this.put(to, Value.text(decodeUtf8(<usize>at, this.written(room, count))));
  }

  takeJson(at: i32, room: i32, count: i32, to: Path): void {
    const length = this.written(room, count);
    if (this.failed) return;
    const value = parseJson(decodeUtf8(<usize>at, length));
    if (value !== null) this.put(to, value);
    else this.fail('InvalidJsonError', 'an output of the function is not valid JSON');
  }

  /** Returns the number of bytes written to a buffer, which the function stored at `count`. */
  private written(room: i32, count: i32): i32 {
    const length = load<u32>(<usize>count);
    if (length <= <u32>room) return <i32>length;
    this.fail('RangeError', 'an output of the function is longer than its buffer');
    return 0;
  }

  private refuse(form: string): void {
    this.fail('ValidationError', `input ${this.input.toString()} of the function must be ${form}`);
  }

  private put(to: Path, value: Value): void {
    if (!this.failed && put(this.run, to, value) == FAILED) this.failed = true;
  }

  private fail(name: string, message: string): void {
    if (this.failed) return;
    this.failed = true;
    this.run.fail(name, message);
  }
}
