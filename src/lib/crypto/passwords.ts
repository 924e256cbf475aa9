import { availableParallelism } from 'node:os';
import argon2 from '@node-rs/argon2';
import { createLimiter } from './limiter.js';

/** OWASP profile for argon2id, the library's default algorithm. */
const PROFILE = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };
const MAX_QUEUED = 64;

/** Hash that no password matches. Verification costs the same as for any other hash of the profile. */
export const NO_PASSWORD =
  `$argon2id$v=19$m=${PROFILE.memoryCost},t=${PROFILE.timeCost},p=${PROFILE.parallelism}` +
  `$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Each hash takes 19 MiB and one core: a burst of sign-ins is queued, and rejected beyond a limit. */
const limit = createLimiter(availableParallelism(), MAX_QUEUED);

/** Hashes a password with argon2id. Throws `Unavailable` if too many sign-ins are waiting. */
export function hashPassword(plain: string): Promise<string> {
  return limit(() => argon2.hash(plain, PROFILE));
}

/**
 * Returns whether `plain` is the password of `stored`. For an account that is unknown or has no password (`undefined`),
 * it returns false after the same work as a real check, so that timing does not reveal which accounts exist. Throws
 * `Unavailable` if too many sign-ins are waiting.
 */
export async function verifyPassword(stored: string | undefined, plain: string): Promise<boolean> {
  const matches = await limit(() => argon2.verify(stored ?? NO_PASSWORD, plain));
  return matches && stored !== undefined;
}
