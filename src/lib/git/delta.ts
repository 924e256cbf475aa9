import { GitFault } from './git-fault.js';

const MAX_COPY_SIZE = 0x10000;

/** Returns the size of a delta's result. */
export function resultSize(delta: Buffer): number {
  const { next } = sizeAt(delta, 0);
  return sizeAt(delta, next).size;
}

/** Returns the result of applying a delta to its base. The delta is untrusted and fully validated. */
export function applyDelta(base: Buffer, delta: Buffer): Buffer {
  const from = sizeAt(delta, 0);
  const to = sizeAt(delta, from.next);
  const result = Buffer.alloc(to.size);
  let at = to.next;
  let written = 0;
  if (from.size !== base.length) throw corrupt();
  while (at < delta.length) {
    const code = delta[at++]!;
    if (code & 0x80) {
      const offset = numberAt(code & 0x0f, 4);
      const length = numberAt((code >>> 4) & 0x07, 3) || MAX_COPY_SIZE;
      if (offset + length > base.length || written + length > result.length) throw corrupt();
      written += base.copy(result, written, offset, offset + length);
    } else {
      if (code === 0 || at + code > delta.length || written + code > result.length) throw corrupt();
      written += delta.copy(result, written, at, at + code);
      at += code;
    }
  }
  if (written !== result.length) throw corrupt();
  return result;

  /** Reads a number from the bytes that `flags` marks as present. */
  function numberAt(flags: number, bytes: number): number {
    let value = 0;
    for (let byte = 0; byte < bytes; byte++) if (flags & (1 << byte)) value += delta[at++]! * 256 ** byte;
    if (!(at <= delta.length)) throw corrupt();
    return value;
  }
}

/** Reads a size, encoded with seven bits per byte. */
function sizeAt(delta: Buffer, start: number): { size: number; next: number } {
  let size = 0;
  for (let at = start, factor = 1; at < delta.length && at < start + 7; at++, factor *= 128) {
    const byte = delta[at]!;
    size += (byte & 0x7f) * factor;
    if (!(byte & 0x80)) return { size, next: at + 1 };
  }
  throw corrupt();
}

const corrupt = () => new GitFault('access', 'leads to a repository with a damaged object');
