// Values in the binary format of PostgreSQL, as `COPY` and parameters contain them: their length, and their bytes.

const NULL_LENGTH = -1;

/** Writes a null with its length, and returns the offset of its end. */
export const writeNull = (buffer: Buffer, at: number): number => buffer.writeInt32BE(NULL_LENGTH, at);

/**
 * Writes the eight bytes of a safe integer without their length, and returns the offset of their end. Writes two halves,
 * because a `BigInt` for each value would take longer.
 */
export function writeInt64(buffer: Buffer, value: number, at: number): number {
  return buffer.writeUInt32BE(value >>> 0, buffer.writeInt32BE(Math.floor(value / 2 ** 32), at));
}
