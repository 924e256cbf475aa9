import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

/** Content that is hashed while it is read. */
export interface HashedContent {
  content: Readable;
  /** Returns the MD5 of the content as 32 hexadecimal digits, once the content has been read to its end. */
  md5: () => string;
}

/** Computes the MD5 of content on its way to a store. Clients compare it with that of their own copy. */
export function hashed(source: AsyncIterable<Buffer>): HashedContent {
  const hash = createHash('md5');
  async function* passed(): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      hash.update(chunk);
      yield chunk;
    }
  }
  return { content: Readable.from(passed(), { objectMode: false }), md5: () => hash.digest('hex') };
}
