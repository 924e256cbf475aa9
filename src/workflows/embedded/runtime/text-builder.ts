import { isShort } from './memory';

/** Growable text that stops growing when memory is short. */
@final
export class TextBuilder {
  private buffer: ArrayBuffer = new ArrayBuffer(128);
  private size: i32 = 0;

  append(text: string): this {
    return this.appendPart(text, 0, text.length);
  }

  /** Appends the code units of a text between two indexes, the second exclusive. */
  appendPart(text: string, from: i32, to: i32): this {
    const bytes = (to - from) << 1;
    if (!this.reserve(bytes)) return this;
    memory.copy(
      changetype<usize>(this.buffer) + this.size,
      changetype<usize>(text) + ((<usize>from) << 1),
      bytes,
    );
    this.size += bytes;
    return this;
  }

  /** Appends a UTF-16 code unit. */
  unit(code: i32): this {
    if (!this.reserve(2)) return this;
    store<u16>(changetype<usize>(this.buffer) + this.size, <u16>code);
    this.size += 2;
    return this;
  }

  get text(): string {
    if (this.size == 0 || isShort(this.size)) return '';
    const text = __new(this.size, idof<String>());
    memory.copy(text, changetype<usize>(this.buffer), this.size);
    return changetype<string>(text);
  }

  /** Reserves capacity. Returns whether there is enough memory. */
  private reserve(bytes: i32): bool {
    const needed = this.size + bytes;
    const had = this.buffer.byteLength;
    if (needed <= had) return true;
    const size = max(needed, had << 1);
    if (isShort(size)) return false;
    const grown = new ArrayBuffer(size);
    memory.copy(changetype<usize>(grown), changetype<usize>(this.buffer), this.size);
    this.buffer = grown;
    return true;
  }
}
