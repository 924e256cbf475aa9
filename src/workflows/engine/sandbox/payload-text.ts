import { randomBytes } from 'node:crypto';

/**
 * Begin of a text that stands for a date in the JSON of a result. It is random and never leaves this process, so no
 * text of a payload is mistaken for a date.
 */
export const DATE_MARK = `${randomBytes(12).toString('hex')}:`;

/**
 * Returns a JSON list of the payload and, if texts in it are dates, of their paths. The list is empty for `undefined`.
 * Returns nothing if the JSON of the payload has more than `maxBytes`. Throws a `RangeError` if the payload is nested too
 * deeply.
 */
export function encodePayload(payload: unknown, maxBytes: number): string | undefined {
  const dates: string[][] = [];
  if (typeof payload === 'object' && payload !== null) findDates(payload, [], dates);
  const json = JSON.stringify(payload) ?? '';
  if (Buffer.byteLength(json) > maxBytes) return undefined;
  return dates.length > 0 ? `[${json},${JSON.stringify(dates)}]` : `[${json}]`;
}

/** Reads the JSON of a result. Throws a `RangeError` if it is nested too deeply. */
export function decodeResult(json: string): unknown {
  if (json === '') return undefined;
  const result: unknown = JSON.parse(json);
  const left = json.split(DATE_MARK).length - 1;
  return left > 0 ? withDates(result, { left }) : result;
}

function findDates(value: object, path: string[], found: string[][]): void {
  if (value instanceof Date) {
    // JSON has null for an invalid date.
    if (!Number.isNaN(value.getTime())) found.push([...path]);
    return;
  }
  // Plain loops: this runs for every value of every payload.
  if (Array.isArray(value))
    for (let i = 0; i < value.length; i++) {
      const item: unknown = value[i];
      if (typeof item === 'object' && item !== null) findDatesIn(item, String(i), path, found);
    }
  else
    for (const name of Object.keys(value)) {
      const member = (value as Record<string, unknown>)[name];
      if (typeof member === 'object' && member !== null) findDatesIn(member, name, path, found);
    }
}

function findDatesIn(member: object, name: string, path: string[], found: string[][]): void {
  path.push(name);
  findDates(member, path, found);
  path.pop();
}

const isMarked = (value: unknown): boolean => typeof value === 'string' && value.startsWith(DATE_MARK);

/** Returns a parsed value with dates for marked texts, as long as some are left. Changes the objects and lists in it. */
function withDates(value: unknown, marks: { left: number }): unknown {
  if (isMarked(value)) {
    marks.left--;
    return new Date(Number((value as string).slice(DATE_MARK.length)));
  }
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && marks.left > 0; i++)
      if (typeof value[i] === 'object' || isMarked(value[i])) value[i] = withDates(value[i], marks);
  } else if (typeof value === 'object' && value !== null) {
    const object = value as Record<string, unknown>;
    for (const name of Object.keys(object)) {
      if (marks.left === 0) break;
      const member = object[name];
      if (isMarked(member)) define(object, name, withDates(member, marks));
      else if (typeof member === 'object') withDates(member, marks);
    }
  }
  return value;
}

/** Sets an own property, also one that is named `__proto__`. */
function define(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
}
