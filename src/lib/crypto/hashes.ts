import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** SHA-256 in lower-case hex. For tokens and keys of full entropy; passwords need a slow hash. */
export function sha256(text: string): string {
  return digest(text).toString('hex');
}

/** An unguessable token of that many random bytes, in base64url. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}

/** Whether two secrets are equal, in a time that tells neither their content nor their length. */
export function equalSecrets(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}
