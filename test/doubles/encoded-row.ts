import { EncodedRow } from '../../src/platform/database/encoded-row.js';

/** Returns a row as PostgreSQL sends it, after other bytes. */
export function encodedRow(texts: readonly (string | null)[]): EncodedRow {
  const before = Buffer.from('before');
  const width = Buffer.alloc(2);
  width.writeInt16BE(texts.length);
  const values = texts.flatMap((text) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(text === null ? -1 : Buffer.byteLength(text));
    return [length, Buffer.from(text ?? '')];
  });
  const row = Buffer.concat([width, ...values]);
  return EncodedRow.at(Buffer.concat([before, row]), before.length, row.length);
}
