import { CONSTANT_BYTES, CONSTANTS, CONSTANT_STARTS } from './bundle';
import { parseOwnJson } from './json';
import { Value } from './value';

const values = new StaticArray<Value | null>(CONSTANTS);

/** Returns a constant of the bundle, parsed on first use. */
export function constant(index: i32): Value {
  let value = values[index];
  if (value === null) {
    const start = load<i32>(CONSTANT_STARTS + (index << 2));
    const end = load<i32>(CONSTANT_STARTS + ((index + 1) << 2));
    values[index] = value = parseOwnJson(CONSTANT_BYTES + start, end - start)!;
  }
  return value;
}

/** Returns a text constant. */
export function text(index: i32): string {
  return constant(index).asText;
}
