import { availableParallelism } from 'node:os';
import argon2 from '@node-rs/argon2';
import { WorkBudget } from '../async/work-budget.js';

/** OWASP profile for argon2id, the library's default algorithm. */
const PROFILE = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };

/** Each hash takes 19 MiB and one core, so a burst of them waits, and is rejected beyond a limit. */
const BUDGET = { concurrency: availableParallelism(), waitingPerOwner: 32, waiting: 128 };

/** Hash that no password matches. Verification costs the same as for any other hash of the profile. */
export const NO_PASSWORD =
  `$argon2id$v=19$m=${PROFILE.memoryCost},t=${PROFILE.timeCost},p=${PROFILE.parallelism}` +
  `$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Hashes and verifies passwords with argon2id, within a budget of this process in which owners take turns. */
class Passwords {
  private readonly budget = new WorkBudget(BUDGET);

  /** Hashes a password. Throws `TooManyRequests` or `Unavailable` if too many hashes are waiting. */
  hash(owner: string, plain: string): Promise<string> {
    return this.budget.run(owner, () => argon2.hash(plain, PROFILE));
  }

  /**
   * Returns whether `plain` is the password of `stored`. For an account that is unknown or has no password (`undefined`),
   * it returns false after the same work as a real check, so that timing does not reveal which accounts exist. Throws
   * `TooManyRequests` or `Unavailable` if too many hashes are waiting.
   */
  async matches(owner: string, stored: string | undefined, plain: string): Promise<boolean> {
    const matches = await this.budget.run(owner, () => argon2.verify(stored ?? NO_PASSWORD, plain));
    return matches && stored !== undefined;
  }
}

/** Passwords of accounts of the platform. Their budget belongs to sign-ins alone; the owner is the network of the client. */
export const accountPasswords = new Passwords();

/** Passwords of the users of experiences, which tenants create in any number; the owner is that of the application. */
export const experiencePasswords = new Passwords();
