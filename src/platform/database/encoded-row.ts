import { decode } from '../../lib/json/utf8.js';

/** Size of the number of values, which precedes them. */
export const COUNT_SIZE = 2;
/** Size of a length, which each message and each value has. */
export const LENGTH_SIZE = 4;

/**
 * A row in the form of PostgreSQL's protocol: a length of four bytes before each value, -1 for `null`, and the text of the
 * value in UTF-8. Bytes are the characters of a string (Latin-1), because V8 collects short-lived strings at almost no
 * cost, but marks the whole heap after every 64 MB of buffers.
 */
export class EncodedRow {
  /** `start` is the position of the first value, `width` the number of values. */
  private constructor(
    readonly bytes: string,
    readonly start: number,
    private readonly width: number,
  ) {}

  /** Returns the row that a message contains. */
  static of(bytes: string): EncodedRow {
    return new EncodedRow(bytes, COUNT_SIZE, (bytes.charCodeAt(0) << 8) | bytes.charCodeAt(1));
  }

  /** Returns the text of a value. A negative position counts from the end. */
  text(position: number): string | null {
    let at = this.start;
    for (let skipped = position < 0 ? position + this.width : position; skipped > 0; skipped--)
      at = this.after(at);
    return this.textAt(at);
  }

  /** Returns the texts of all values. */
  texts(): (string | null)[] {
    const texts = new Array<string | null>(this.width);
    for (let i = 0, at = this.start; i < this.width; i++, at = this.after(at)) texts[i] = this.textAt(at);
    return texts;
  }

  /** Returns the row without its first and last value. */
  inner(): EncodedRow {
    return new EncodedRow(this.bytes, this.after(this.start), this.width - 2);
  }

  /** Returns the position of the value after the one at this position. */
  private after(at: number): number {
    return at + LENGTH_SIZE + Math.max(0, lengthAt(this.bytes, at));
  }

  private textAt(at: number): string | null {
    const length = lengthAt(this.bytes, at);
    return length < 0 ? null : decode(this.bytes, at + LENGTH_SIZE, at + LENGTH_SIZE + length);
  }
}

/** Returns the signed number of four bytes, the length of a value or -1. */
export const lengthAt = (bytes: string, at: number): number =>
  (bytes.charCodeAt(at) << 24) |
  (bytes.charCodeAt(at + 1) << 16) |
  (bytes.charCodeAt(at + 2) << 8) |
  bytes.charCodeAt(at + 3);
