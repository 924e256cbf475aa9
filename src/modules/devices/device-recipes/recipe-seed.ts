import { hkdfSync, randomBytes } from 'node:crypto';

const SEED_BYTES = 32;
const SECRET_BYTES = 64;
const ID_RANDOM_BYTES = 5;

/**
 * Derives the IDs, keys and secrets of the devices of one call. They are always the same for the same row, so that a
 * retried job recreates the same devices and no duplicates. They cannot be guessed without the seed.
 */
export class RecipeSeed {
  constructor(private readonly text: string) {}

  /** Generates a new seed, as text that a job can store encrypted. */
  static create(): string {
    const time = Math.floor(Date.now() / 1000).toString(16);
    return time + randomBytes(SEED_BYTES).toString('hex');
  }

  /** Returns the ID of the device of a row; like other IDs, it starts with the time. */
  deviceId(row: number): string {
    return this.idOf('devices', row);
  }

  /** Returns the access key of the device of a row: its ID, key and secret. */
  access(row: number): { id: string; key: string; secret: string } {
    const hex = this.derive(`key ${row}`, 16).toString('hex');
    const variant = ((parseInt(hex[16]!, 16) & 3) | 8).toString(16);
    const parts = [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `4${hex.slice(13, 16)}`,
      variant + hex.slice(17, 20),
      hex.slice(20),
    ];
    // Hexadecimal, because a spreadsheet would interpret a leading sign as the start of a formula.
    const secret = this.derive(`secret ${row}`, SECRET_BYTES).toString('hex');
    return { id: this.idOf('keys', row), key: parts.join('-'), secret };
  }

  private idOf(kind: string, row: number): string {
    const random = this.derive(kind, ID_RANDOM_BYTES).toString('hex');
    return this.text.slice(0, 8) + random + row.toString(16).padStart(6, '0');
  }

  private derive(purpose: string, bytes: number): Buffer {
    return Buffer.from(hkdfSync('sha256', this.text, '', purpose, bytes));
  }
}
