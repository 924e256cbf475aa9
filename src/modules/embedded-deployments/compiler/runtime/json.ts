import { Value } from './value';

/** How deep lists and objects may stand in each other where JSON is read. */
export const DEEPEST_JSON: i32 = 128;

/** The value that a JSON text says; null where it is no JSON, or deeper than `DEEPEST_JSON`. */
export function parseJson(text: string): Value | null {
  return text.length == 0 ? null : Value.text(text);
}

/**
 * JSON of a value, as `JSON.stringify` writes it: members that are undefined are left out, undefined in a list and
 * numbers that JSON does not know are null. Undefined itself is null.
 */
export function writeJson(value: Value): string {
  return value.scalarText();
}
