import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

/** Returns a Git pack with raw entries, of which the header may claim another number. */
export function packWith(entries: readonly Buffer[], count = entries.length): Buffer {
  const header = Buffer.from('PACK\0\0\0\u0002\0\0\0\0', 'latin1');
  header.writeUInt32BE(count, 8);
  const body = Buffer.concat([header, ...entries]);
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}

/** Returns an entry of a Git pack, whose header may claim another size. */
export function packedEntry(kind: number, content: Buffer, size = content.length): Buffer {
  const head = [(kind << 4) | (size % 16)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    head[head.length - 1]! |= 0x80;
    head.push(rest % 128);
  }
  return Buffer.concat([Buffer.from(head), deflateSync(content)]);
}
