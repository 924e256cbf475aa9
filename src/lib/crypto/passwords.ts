import { availableParallelism } from 'node:os';
import argon2 from '@node-rs/argon2';
import { createLimiter } from './limiter.js';

/** OWASP's profile for argon2id, which is the algorithm that the library takes unless told otherwise. */
const PROFILE = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };
const WAITING = 64;

/** The hash of no password: it costs what any other of the profile costs, and nothing matches it. */
export const NO_PASSWORD =
  `$argon2id$v=19$m=${PROFILE.memoryCost},t=${PROFILE.timeCost},p=${PROFILE.parallelism}` +
  `$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Each run takes 19 MiB and a core: a wave of sign-ins must wait, and beyond a point come back later. */
const limit = createLimiter(availableParallelism(), WAITING);

/** Hashes a password with argon2id. Throws `Unavailable` when too many sign-ins wait already. */
export function hashPassword(plain: string): Promise<string> {
  return limit(() => argon2.hash(plain, PROFILE));
}

/**
 * Whether `plain` is the password of `stored`. For an account that is unknown or has no password (`undefined`) the
 * answer is false at the cost of a real check, so that the time it takes does not tell which accounts exist. Throws
 * `Unavailable` when too many sign-ins wait already.
 */
export async function verifyPassword(stored: string | undefined, plain: string): Promise<boolean> {
  const matches = await limit(() => argon2.verify(stored ?? NO_PASSWORD, plain));
  return matches && stored !== undefined;
}
