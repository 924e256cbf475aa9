import { decode } from './utf8.js';

const [QUOTE, BACKSLASH, COMMA, SPACE] = Buffer.from('"\\, ');
const [OPEN_OBJECT, OPEN_LIST] = Buffer.from('{[');
/** Number of bytes up to which a loop is faster than a call of the runtime. */
const LOOPED_BYTES = 48;
/** Smallest size to which a buffer grows. */
const MIN_SIZE = 64 * 1024;
/** Size from which a buffer is not kept for the next writer. */
const MAX_KEPT_SIZE = 2 * 1024 * 1024;
const NOTHING = Buffer.alloc(0);
/** Largest number of bytes of a UTF-16 unit in UTF-8. */
const BYTES_PER_UNIT = 3;

/** Buffer that no writer uses, so that few are allocated. */
let spare = NOTHING;

/**
 * Writes JSON as UTF-8, from texts and from UTF-8, which it does not decode. UTF-8 is passed in strings with a character
 * for each byte (Latin-1), which V8 collects at less cost than buffers.
 */
export class JsonWriter {
  private bytes = NOTHING;
  private end = 0;
  /** Last byte of those that were taken. */
  private taken?: number;

  /** Number of bytes that `take` returns. */
  get length(): number {
    return this.end;
  }

  /** Returns the bytes written since the last call. */
  take(): string {
    const { bytes } = this;
    const taken = bytes.toString('latin1', 0, this.end);
    this.taken = this.last;
    this.bytes = NOTHING;
    this.end = 0;
    if (bytes.length > spare.length && bytes.length <= MAX_KEPT_SIZE) spare = bytes;
    return taken;
  }

  /** Writes text that is JSON, or a part of it. */
  json(text: string): this {
    const space = this.bytes.length - this.end;
    if (text.length * BYTES_PER_UNIT > space) this.reserve(Buffer.byteLength(text));
    this.end += this.bytes.write(text, this.end);
    return this;
  }

  /** Writes UTF-8 that is JSON, or a part of it. */
  copy(source: string, start = 0, end = source.length): this {
    const size = end - start;
    this.reserve(size);
    const { bytes, end: at } = this;
    if (size > LOOPED_BYTES) bytes.write(source.substring(start, end), at, 'latin1');
    else for (let i = 0; i < size; i++) bytes[at + i] = source.charCodeAt(start + i);
    this.end = at + size;
    return this;
  }

  /** Writes UTF-8 without characters that need to be escaped as a string. */
  plain(source: string, start: number, end: number): this {
    return this.byte(QUOTE!).copy(source, start, end).byte(QUOTE!);
  }

  /** Writes UTF-8 as a string. */
  string(source: string, start: number, end: number): this {
    this.byte(QUOTE!).reserve(end - start);
    const { bytes, end: at } = this;
    for (let from = start; from < end; from++) {
      const byte = source.charCodeAt(from);
      if (byte < SPACE! || byte === QUOTE || byte === BACKSLASH)
        return this.json(JSON.stringify(decode(source, start, end)).slice(1));
      bytes[at + from - start] = byte;
    }
    this.end = at + end - start;
    return this.byte(QUOTE!);
  }

  /** Separates the next member or item from the previous one, if there is one. */
  separate(): this {
    const { last } = this;
    return last === undefined || last === OPEN_OBJECT || last === OPEN_LIST ? this : this.byte(COMMA!);
  }

  private get last(): number | undefined {
    return this.end > 0 ? this.bytes[this.end - 1] : this.taken;
  }

  byte(byte: number): this {
    this.reserve(1);
    this.bytes[this.end++] = byte;
    return this;
  }

  private reserve(size: number): void {
    const needed = this.end + size;
    if (needed <= this.bytes.length) return;
    if (this.end === 0 && needed <= spare.length) {
      this.bytes = spare;
      spare = NOTHING;
      return;
    }
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2, MIN_SIZE));
    this.bytes.copy(larger, 0, 0, this.end);
    this.bytes = larger;
  }
}
