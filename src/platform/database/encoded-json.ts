import type { JsonWriter } from '../../lib/json/json-writer.js';
import { decode } from '../../lib/json/utf8.js';
import type { FieldKind } from '../fields/fields.js';

const [QUOTE, T, Z, ZERO, DOT, TRUE] = Buffer.from('"TZ0.t') as unknown as number[];
/** Lengths of `2026-11-21`, `05:28:30.500`, `05:28:30` and `+00`. */
const [DATE, TIME, SECONDS, ZONE] = [10, 12, 8, 3];

/** How the text form of a value becomes JSON. */
export interface ValueForm {
  kind: FieldKind;
  /** Converts the text to JSON, if it is not in its final form yet. */
  write?: (text: string) => string;
}

/** Writes PostgreSQL's text form of a value as JSON, as `jsonOf` returns it. */
export function writeValue(
  out: JsonWriter,
  { kind, write }: ValueForm,
  bytes: string,
  start: number,
  end: number,
): void {
  if (write) {
    const text = decode(bytes, start, end);
    const json = write(text);
    if (json === text) out.copy(bytes, start, end);
    else out.json(json);
    return;
  }
  switch (kind) {
    case 'plain':
      return void out.plain(bytes, start, end);
    case 'text':
      return void out.string(bytes, start, end);
    case 'date':
      return writeDate(out, bytes, start, end);
    case 'boolean':
      return void out.copy(bytes.charCodeAt(start) === TRUE ? 'true' : 'false');
    case 'number':
    case 'json':
      return void out.copy(bytes, start, end);
  }
}

/** Writes PostgreSQL's `2026-11-21 05:28:30.5+00` as `"2026-11-21T05:28:30.500Z"`, as `isoDate` converts it. */
function writeDate(out: JsonWriter, bytes: string, start: number, end: number): void {
  const time = start + DATE + 1;
  const size = Math.min(TIME, end - ZONE - time);
  out
    .byte(QUOTE!)
    .copy(bytes, start, start + DATE)
    .byte(T!)
    .copy(bytes, time, time + size);
  if (size === SECONDS) out.byte(DOT!);
  for (let written = Math.max(size, SECONDS + 1); written < TIME; written++) out.byte(ZERO!);
  out.byte(Z!).byte(QUOTE!);
}
