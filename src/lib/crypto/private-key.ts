import { createPrivateKey, type KeyObject } from 'node:crypto';
import { ValidationError } from '../errors/errors.js';

/** One private key in any of the forms that OpenSSL writes, and nothing else. */
const PEM = /^\s*-----BEGIN ((?:RSA |EC )?PRIVATE KEY)-----[A-Za-z0-9+/=\s]+-----END \1-----\s*$/;
const KINDS: ReadonlySet<string | undefined> = new Set(['rsa', 'ec', 'ed25519']);

/** Parses a private key in PEM. Throws a `400` error that refers to it as `at` and reveals none of its content. */
export function privateKeyOf(text: string, at: string): KeyObject {
  if (/ENCRYPTED/.test(text))
    throw new ValidationError(
      `${at} must not be encrypted with a passphrase, because it could not be decrypted here`,
    );
  if (!PEM.test(text)) throw new ValidationError(`${at} must be exactly one private key in PEM format`);
  const key = parsed(text);
  if (!key || !KINDS.has(key.asymmetricKeyType))
    throw new ValidationError(`${at} is not a readable RSA, EC or Ed25519 key`);
  return key;
}

function parsed(text: string): KeyObject | undefined {
  try {
    return createPrivateKey(text);
  } catch {
    return undefined;
  }
}
