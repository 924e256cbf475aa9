/** Size of the number of values, which precedes them. */
const COUNT_SIZE = 2;
/** Size of a length, which each message and each value has. */
export const LENGTH_SIZE = 4;

/**
 * A row in the form of PostgreSQL's protocol: a length of four bytes before each value, -1 for `null`, and the text of the
 * value in UTF-8.
 */
export class EncodedRow {
  /** `start` is the position of the first value, `width` the number of values, and `size` that of their bytes. */
  private constructor(
    readonly bytes: Buffer,
    readonly start: number,
    private readonly width: number,
    readonly size: number,
  ) {}

  /** Returns the row that the buffer contains at this position, in this number of bytes. */
  static at(bytes: Buffer, position: number, size: number): EncodedRow {
    return new EncodedRow(bytes, position + COUNT_SIZE, bytes.readInt16BE(position), size - COUNT_SIZE);
  }

  /** Returns the text of a value. A negative position counts from the end. */
  text(position: number): string | null {
    let at = this.start;
    for (let skipped = position < 0 ? position + this.width : position; skipped > 0; skipped--)
      at += LENGTH_SIZE + Math.max(0, lengthAt(this.bytes, at));
    return textAt(this.bytes, at);
  }

  /** Returns the texts of all values. */
  texts(): (string | null)[] {
    const texts = new Array<string | null>(this.width);
    let at = this.start;
    for (let i = 0; i < this.width; i++) {
      texts[i] = textAt(this.bytes, at);
      at += LENGTH_SIZE + Math.max(0, lengthAt(this.bytes, at));
    }
    return texts;
  }

  /** Returns the row without its first and last value. */
  inner(): EncodedRow {
    const { bytes, start, width, size } = this;
    return new EncodedRow(bytes, start + LENGTH_SIZE + Math.max(0, lengthAt(bytes, start)), width - 2, size);
  }
}

/** Returns the signed number of four bytes, the length of a value or -1. */
export const lengthAt = (bytes: Buffer, at: number): number =>
  (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;

function textAt(bytes: Buffer, at: number): string | null {
  const length = lengthAt(bytes, at);
  return length < 0 ? null : bytes.toString('utf8', at + LENGTH_SIZE, at + LENGTH_SIZE + length);
}
