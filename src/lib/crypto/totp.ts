import { Secret, TOTP } from 'otpauth';

/** Parameters that every authenticator app supports; several apps ignore other values. */
const ALGORITHM = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const KEY_BYTES = 32;
/** Number of steps before and after the current one in which a code is accepted. */
const WINDOW = 1;

/** Returns a new random key for an authenticator app: 52 characters of base32. */
export function newTotpKey(): string {
  return new Secret({ size: KEY_BYTES }).base32;
}

/** Returns the `otpauth:` URI that an authenticator app reads from a QR code. */
export function totpUri(account: { key: string; issuer: string; account: string }): string {
  const { key, issuer, account: label } = account;
  return new TOTP({ ...ALGORITHM, secret: Secret.fromBase32(key), issuer, label }).toString();
}

/**
 * Returns the 30-second time step of `code`, or `undefined` if it is wrong or more than one step away from `now`. A
 * code remains valid during its step, so the caller must reject a step that is not later than the last accepted one.
 */
export function verifyTotp(key: string, code: string, now = new Date()): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const totp = new TOTP({ ...ALGORITHM, secret: Secret.fromBase32(key) });
  const timestamp = now.getTime();
  const distance = totp.validate({ token: code, timestamp, window: WINDOW });
  return distance === null ? undefined : totp.counter({ timestamp }) + distance;
}
