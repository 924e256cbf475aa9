import { createPrivateKey, type KeyObject } from 'node:crypto';
import { ValidationError } from '../errors/errors.js';

/** One private key of any of the forms in which OpenSSL writes them, and nothing else. */
const PEM = /^\s*-----BEGIN ((?:RSA |EC )?PRIVATE KEY)-----[A-Za-z0-9+/=\s]+-----END \1-----\s*$/;
const KINDS: ReadonlySet<string | undefined> = new Set(['rsa', 'ec', 'ed25519']);

/** The private key of a PEM text, or 400 that calls it `at` and says nothing of what stands in it. */
export function privateKeyOf(text: string, at: string): KeyObject {
  if (/ENCRYPTED/.test(text))
    throw new ValidationError(`${at} must not be encrypted by a passphrase, which nobody could enter here`);
  if (!PEM.test(text)) throw new ValidationError(`${at} must be one private key in PEM and nothing else`);
  const key = parsed(text);
  if (!key || !KINDS.has(key.asymmetricKeyType))
    throw new ValidationError(`${at} is no RSA, EC or Ed25519 key that can be read`);
  return key;
}

function parsed(text: string): KeyObject | undefined {
  try {
    return createPrivateKey(text);
  } catch {
    return undefined;
  }
}
