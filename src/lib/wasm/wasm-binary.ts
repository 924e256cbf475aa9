const HEADER_BYTES = 8;

/** Reads the binary format of WebAssembly, whose numbers are LEB128. */
export class WasmReader {
  constructor(
    readonly bytes: Uint8Array,
    public at = 0,
  ) {}

  byte(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw new RangeError('The WebAssembly module is incomplete');
    return byte;
  }

  /** Reads an unsigned number. */
  number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }

  /** Skips numbers, signed or not. */
  skipNumbers(count: number): void {
    for (let i = 0; i < count; i++) while (this.byte() >= 0x80);
  }

  /** Reads bytes that begin with their number. */
  sized(): Uint8Array {
    const size = this.number();
    return this.bytes.subarray(this.at, (this.at += size));
  }

  rest(): Uint8Array {
    return this.bytes.subarray(this.at);
  }
}

/** Encodes an unsigned number. */
export const unsigned = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];

/** Encodes bytes with their number before them. */
export const sized = (bytes: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from(unsigned(bytes.length)), bytes]);

/** Returns a module with the content of its sections changed. */
export function mapSections(
  module: Uint8Array,
  change: (id: number, content: Uint8Array) => Uint8Array,
): Uint8Array {
  const reader = new WasmReader(module, HEADER_BYTES);
  const parts = [module.subarray(0, HEADER_BYTES)];
  while (reader.at < module.length) {
    const id = reader.byte();
    parts.push(Buffer.of(id), sized(change(id, reader.sized())));
  }
  return Buffer.concat(parts);
}
