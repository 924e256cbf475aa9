import { invalidSetting } from '../engine/run-error.js';

const ENCODINGS: ReadonlySet<string> = new Set([
  'ascii',
  'base64',
  'binary',
  'hex',
  'latin1',
  'ucs2',
  'utf16le',
  'utf8',
]);

/** Returns an encoding of a text by its name; an empty name yields `otherwise`. Throws a `RunFault` for others. */
export function encoding(name: string, at: string, otherwise: BufferEncoding = 'utf8'): BufferEncoding {
  const lower = name.trim().toLowerCase().replace('utf-8', 'utf8');
  if (lower === '') return otherwise;
  if (!ENCODINGS.has(lower)) throw invalidSetting(at, `must be one of ${[...ENCODINGS].join(', ')}`);
  return lower as BufferEncoding;
}
