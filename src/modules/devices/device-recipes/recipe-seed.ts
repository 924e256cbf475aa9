import { hkdfSync, randomBytes } from 'node:crypto';

const SEED_BYTES = 32;
const SECRET_BYTES = 64;
const ID_RANDOM_BYTES = 5;

/**
 * Ids, keys and secrets of the devices of one call: always the same for the same row, so that a job which begins again makes
 * what it made before, and nothing twice. Nobody can guess them without the seed.
 */
export class RecipeSeed {
  constructor(private readonly text: string) {}

  /** A new seed, as text that a job can keep sealed. */
  static create(): string {
    const time = Math.floor(Date.now() / 1000).toString(16);
    return time + randomBytes(SEED_BYTES).toString('hex');
  }

  /** The id of the device of a row: like others it begins with the time. */
  deviceId(row: number): string {
    return this.idOf('devices', row);
  }

  /** The access key of the device of a row: its id, the key and the secret. */
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
    // Hexadecimal: what begins with a sign would be taken for a formula where the result is opened.
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
