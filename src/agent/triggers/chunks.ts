/** Maximum size of a piece of a stream that has no delimiter. */
const MAX_PIECE = 256 * 1024;

/** Splits a stream of bytes at a delimiter, or into pieces of the same length. */
export class Chunks {
  private rest: Buffer = Buffer.alloc(0);

  constructor(private readonly by: { readonly delimiter: Buffer } | { readonly length: number }) {}

  /** Returns the pieces that are complete, without their delimiters. A piece that is too long is cut. */
  add(bytes: Buffer): Buffer[] {
    const all = this.rest.length > 0 ? Buffer.concat([this.rest, bytes]) : bytes;
    const pieces: Buffer[] = [];
    let from = 0;
    for (let end = this.endOf(all, from); end; end = this.endOf(all, from)) {
      pieces.push(all.subarray(from, end.at));
      from = end.next;
    }
    // Not a view, which would retain all of the bytes.
    this.rest = Buffer.from(all.subarray(from));
    return pieces;
  }

  private endOf(all: Buffer, from: number): { at: number; next: number } | undefined {
    if ('length' in this.by) {
      const at = from + this.by.length;
      return at <= all.length ? { at, next: at } : undefined;
    }
    const { delimiter } = this.by;
    const at = all.indexOf(delimiter, from);
    if (at >= 0 && at - from <= MAX_PIECE) return { at, next: at + delimiter.length };
    const cut = from + MAX_PIECE;
    return all.length > cut || at > cut ? { at: cut, next: cut } : undefined;
  }
}

/** Returns how a trigger splits a stream. A length takes precedence. Throws an error for a length that is no number. */
export function chunksOf(delimiter: string, encoding: BufferEncoding, byteLength: string): Chunks {
  if (byteLength.trim() !== '') {
    const length = Number(byteLength);
    if (!Number.isInteger(length) || length < 1 || length > MAX_PIECE)
      throw new Error(`config.byteLength must be an integer from 1 to ${MAX_PIECE}`);
    return new Chunks({ length });
  }
  const bytes = Buffer.from(delimiter, encoding);
  if (bytes.length < 1 || bytes.length > 16) throw new Error('config.delimiter must have 1 to 16 bytes');
  return new Chunks({ delimiter: bytes });
}

/** Returns an encoding, `utf8` if it is blank. Throws an error for one that does not exist. */
export function encodingOf(name: string): BufferEncoding {
  if (name === '') return 'utf8';
  if (!Buffer.isEncoding(name)) throw new Error(`config.encoding ${JSON.stringify(name)} does not exist`);
  return name;
}
