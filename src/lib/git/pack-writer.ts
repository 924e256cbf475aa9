import { createHash } from 'node:crypto';
import { createDeflate } from 'node:zlib';
import { Readable } from 'node:stream';
import type { GitType } from './objects.js';

/** An object to be written to a pack. */
export interface PackedObject {
  type: GitType;
  size: number;
  content: () => Readable;
}

const KINDS: Readonly<Record<GitType, number>> = { commit: 1, tree: 2, blob: 3, tag: 4 };

/** Builds a pack of complete objects, without deltas. */
export async function* packOf(objects: readonly PackedObject[]): AsyncGenerator<Buffer> {
  const hash = createHash('sha1');
  const hashed = (bytes: Buffer): Buffer => {
    hash.update(bytes);
    return bytes;
  };
  const header = Buffer.from('PACK\0\0\0\u0002\0\0\0\0', 'latin1');
  header.writeUInt32BE(objects.length, 8);
  yield hashed(header);
  for (const { type, size, content } of objects) {
    yield hashed(entryHeader(KINDS[type], size));
    const source = content();
    const packed = createDeflate();
    source.on('error', (error) => packed.destroy(error));
    try {
      for await (const chunk of source.pipe(packed)) yield hashed(chunk as Buffer);
    } finally {
      source.destroy();
    }
  }
  yield hash.digest();
}

/** Encodes the type of an object and its size: four bits in the first byte, then seven in each. */
function entryHeader(kind: number, size: number): Buffer {
  const bytes = [(kind << 4) | (size % 16)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 0x80;
    bytes.push(rest % 128);
  }
  return Buffer.from(bytes);
}
