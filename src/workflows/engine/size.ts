/** Deepest nesting that can be written as JSON without an overflow of the stack. */
const MAX_DEPTH = 1_000;

/** Bytes of texts and of other values without members, as JSON. */
interface Measure {
  readonly text: (text: string) => number;
  readonly scalar: (value: unknown) => number;
}

const EXACT: Measure = {
  text: (text) => Buffer.byteLength(JSON.stringify(text)),
  scalar: (value) => (JSON.stringify(value) ?? 'null').length,
};
/** A character has at most the bytes of `\u0000`. Takes a fraction of the time, because nothing is written. */
const UPPER_BOUND: Measure = {
  text: (text) => 6 * text.length + 2,
  scalar: () => '"-271821-04-20T00:00:00.000Z"'.length,
};

/**
 * Returns whether a value can be written as JSON of at most `bytes` bytes. Stops as soon as it cannot: payloads share
 * objects, so the JSON of a small payload can have terabytes.
 */
export const fitsJson = (value: unknown, bytes: number): boolean =>
  [UPPER_BOUND, EXACT].some((measure) => bytesLeft(value, bytes, 0, measure) >= 0);

/** Returns about how many bytes of JSON a value has, or `undefined` if it has more than `max`. */
export function jsonBytes(value: unknown, max: number): number | undefined {
  const left = bytesLeft(value, max, 0, EXACT);
  return left < 0 ? undefined : max - left;
}

/** Returns the rest of `left` after a value; negative if it does not suffice. */
function bytesLeft(value: unknown, left: number, depth: number, measure: Measure): number {
  if (typeof value === 'string') return value.length > left ? -1 : left - measure.text(value);
  if (typeof value !== 'object' || value === null || value instanceof Date)
    return left - measure.scalar(value);
  if (depth === MAX_DEPTH) return -1;
  let rest = left - 2;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && rest >= 0; i++)
      rest = bytesLeft(value[i], rest - 1, depth + 1, measure);
    return rest;
  }
  for (const name of Object.keys(value)) {
    rest = bytesLeft(name, rest - 2, depth, measure);
    if (rest >= 0) rest = bytesLeft((value as Record<string, unknown>)[name], rest, depth + 1, measure);
    if (rest < 0) break;
  }
  return rest;
}
