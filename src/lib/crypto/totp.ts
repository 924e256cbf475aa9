import { Secret, TOTP } from 'otpauth';

/** What every authenticator app understands; several ignore any other choice. */
const ALGORITHM = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const KEY_BYTES = 32;
/** Steps before and after the present one in which a code counts. */
const WINDOW = 1;

/** A new random key for an authenticator app: 52 characters of base32. */
export function newTotpKey(): string {
  return new Secret({ size: KEY_BYTES }).base32;
}

/** The `otpauth:` address that an authenticator app reads from a QR code. */
export function totpUri(account: { key: string; issuer: string; account: string }): string {
  const { key, issuer, account: label } = account;
  return new TOTP({ ...ALGORITHM, secret: Secret.fromBase32(key), issuer, label }).toString();
}

/**
 * The 30-second time step that `code` belongs to, or undefined when it is wrong or more than one step away from `now`.
 * A code stays good for its step: the caller refuses a step that is not later than the last one it accepted.
 */
export function verifyTotp(key: string, code: string, now = new Date()): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const totp = new TOTP({ ...ALGORITHM, secret: Secret.fromBase32(key) });
  const timestamp = now.getTime();
  const distance = totp.validate({ token: code, timestamp, window: WINDOW });
  return distance === null ? undefined : totp.counter({ timestamp }) + distance;
}
