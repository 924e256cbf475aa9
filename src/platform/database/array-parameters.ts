import { isDate } from 'node:util/types';
import { writeInt64, writeNull } from './binary-values.js';

/** How elements of a type are encoded in an array that is sent in binary form. */
interface ElementType<T> {
  /** PostgreSQL's number of the type. */
  readonly oid: number;
  /** Returns the size of a value in bytes, or `undefined` if it has another type or does not fit. */
  readonly sizeOf: (value: unknown) => number | undefined;
  /** Writes a value at an offset, and returns the offset of its end. */
  readonly write: (buffer: Buffer, value: T, at: number) => number;
}

function integer(oid: number, bytes: 2 | 4, write: ElementType<number>['write']): ElementType<number> {
  const limit = 2 ** (8 * bytes - 1);
  const fits = (value: unknown): boolean =>
    Number.isInteger(value) && (value as number) >= -limit && (value as number) < limit;
  return { oid, sizeOf: (value) => (fits(value) ? bytes : undefined), write };
}

/** PostgreSQL counts microseconds from 2000. */
const EPOCH_MS = Date.UTC(2000, 0);
const microsOf = (time: Date): number => (time.getTime() - EPOCH_MS) * 1_000;

const TYPES: Readonly<Record<string, ElementType<never>>> = {
  text: {
    oid: 25,
    sizeOf: (value) => (typeof value === 'string' ? Buffer.byteLength(value) : undefined),
    write: (buffer, value: string, at) => at + buffer.write(value, at),
  },
  boolean: {
    oid: 16,
    sizeOf: (value) => (typeof value === 'boolean' ? 1 : undefined),
    write: (buffer, value: boolean, at) => buffer.writeUInt8(value ? 1 : 0, at),
  },
  smallint: integer(21, 2, (buffer, value, at) => buffer.writeInt16BE(value, at)),
  int: integer(23, 4, (buffer, value, at) => buffer.writeInt32BE(value, at)),
  bigint: {
    oid: 20,
    sizeOf: (value) => (Number.isSafeInteger(value) ? 8 : undefined),
    write: writeInt64,
  },
  timestamptz: {
    oid: 1184,
    sizeOf: (value) => (isDate(value) && Number.isSafeInteger(microsOf(value)) ? 8 : undefined),
    write: (buffer, value: Date, at) => writeInt64(buffer, microsOf(value), at),
  },
};

const CAST = new RegExp(`\\$(\\d+)::(${Object.keys(TYPES).join('|')})\\[\\]`, 'g');
type Types = readonly (ElementType<never> | undefined)[];
const known = new Map<string, Types>();

/**
 * Returns the values of a statement with arrays in binary form, for parameters that the text casts to one, such as
 * `$1::text[]`. In the usual text form each element is quoted and escaped, and read one character at a time. Arrays with
 * other values remain as they are. The types of each text are kept, so the text must be constant.
 */
export function withBinaryArrays(text: string, values: readonly unknown[]): readonly unknown[] {
  const types = typesOf(text);
  if (types.length === 0) return values;
  return values.map((value, i) => {
    const type = types[i];
    return type && Array.isArray(value) ? (binaryArray(type, value) ?? value) : value;
  });
}

/** Returns the types of the elements of the arrays that a text casts its parameters to, by position. */
function typesOf(text: string): Types {
  const read = known.get(text);
  if (read) return read;
  const types: (ElementType<never> | undefined)[] = [];
  for (const [, number, name] of text.matchAll(CAST)) types[Number(number) - 1] ??= TYPES[name!];
  known.set(text, types);
  return types;
}

const LENGTH_BYTES = 4;
/** One dimension, whether there are nulls, the type, the number of elements, and the index of the first. */
const HEADER_BYTES = 5 * LENGTH_BYTES;

/** Returns an array in binary form, or `undefined` if it is empty or has a value of another type. */
function binaryArray(
  { oid, sizeOf, write }: ElementType<never>,
  values: readonly unknown[],
): Buffer | undefined {
  if (values.length === 0) return undefined;
  let size = HEADER_BYTES + LENGTH_BYTES * values.length;
  let hasNulls = false;
  for (const value of values) {
    if (value === null || value === undefined) {
      hasNulls = true;
      continue;
    }
    const bytes = sizeOf(value);
    if (bytes === undefined) return undefined;
    size += bytes;
  }
  const buffer = Buffer.allocUnsafe(size);
  let at = 0;
  for (const part of [1, hasNulls ? 1 : 0, oid, values.length, 1]) at = buffer.writeInt32BE(part, at);
  for (const value of values) {
    const begin = at + LENGTH_BYTES;
    if (value === null || value === undefined) {
      at = writeNull(buffer, at);
      continue;
    }
    const end = write(buffer, value as never, begin);
    buffer.writeInt32BE(end - begin, at);
    at = end;
  }
  return buffer;
}
