import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Returns the SHA-256 hash in lower-case hexadecimal. For tokens and keys of full entropy only; passwords need a slow
 * hash.
 */
export function sha256(text: string): string {
  return digest(text).toString('hex');
}

/** Returns an unguessable token of this many random bytes, in base64url. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}

/** Returns whether two secrets are equal, in a time that reveals neither their content nor their length. */
export function equalSecrets(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}
