/** Deepest nesting that can be written as JSON without an overflow of the stack. */
const MAX_DEPTH = 1_000;

/**
 * Returns whether a value can be written as JSON of at most `bytes` bytes. Stops as soon as it cannot: payloads share
 * objects, so the JSON of a small payload can have terabytes.
 */
export const fitsJson = (value: unknown, bytes: number): boolean => bytesLeft(value, bytes, 0) >= 0;

/** Returns about how many bytes of JSON a value has, or `undefined` if it has more than `max`. */
export function jsonBytes(value: unknown, max: number): number | undefined {
  const left = bytesLeft(value, max, 0);
  return left < 0 ? undefined : max - left;
}

/** Returns the rest of `left` after a value; negative if it does not suffice. */
function bytesLeft(value: unknown, left: number, depth: number): number {
  if (typeof value === 'string')
    return value.length > left ? -1 : left - Buffer.byteLength(JSON.stringify(value));
  if (typeof value !== 'object' || value === null || value instanceof Date)
    return left - (JSON.stringify(value) ?? 'null').length;
  if (depth === MAX_DEPTH) return -1;
  let rest = left - 2;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && rest >= 0; i++) rest = bytesLeft(value[i], rest - 1, depth + 1);
    return rest;
  }
  for (const name of Object.keys(value)) {
    rest = bytesLeft(name, rest - 2, depth);
    if (rest >= 0) rest = bytesLeft((value as Record<string, unknown>)[name], rest, depth + 1);
    if (rest < 0) break;
  }
  return rest;
}
