import { EncodedRow } from '../../src/platform/database/encoded-row.js';

/** Returns text in UTF-8, with a character for each byte. */
export const utf8 = (text: string): string => Buffer.from(text).toString('latin1');

/** Returns a row as PostgreSQL sends it. */
export function encodedRow(texts: readonly (string | null)[]): EncodedRow {
  const width = Buffer.alloc(2);
  width.writeInt16BE(texts.length);
  const values = texts.flatMap((text) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(text === null ? -1 : Buffer.byteLength(text));
    return [length, Buffer.from(text ?? '')];
  });
  return EncodedRow.of(Buffer.concat([width, ...values]).toString('latin1'));
}
