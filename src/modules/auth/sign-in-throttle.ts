import { Injectable } from '@nestjs/common';
import { sha256 } from '../../platform/crypto/hashes.js';
import { RateLimits, type RateLimit } from '../../platform/throttle/rate-limits.js';

const WINDOW_SECONDS = 15 * 60;
const REFUSAL = 'Too many failed sign-ins, try again later';

/**
 * Counts failed sign-ins, ten an account and a hundred an address in a quarter of an hour. Past that even the right
 * password gets 429, so an attacker learns nothing from trying on.
 */
@Injectable()
export class SignInThrottle {
  private readonly accounts: RateLimit;
  private readonly addresses: RateLimit;

  constructor(limits: RateLimits) {
    this.accounts = limits.limit('sign-in:account', { points: 10, duration: WINDOW_SECONDS }, REFUSAL);
    this.addresses = limits.limit('sign-in:address', { points: 100, duration: WINDOW_SECONDS }, REFUSAL);
  }

  /**
   * Runs an attempt to sign in as `account` from `address`. It counts as failed until it has succeeded, so that many at
   * once are no way around the limit. Throws `TooManyRequests` when either has failed too often.
   */
  async attempt<T>(account: string | undefined, address: string, signIn: () => Promise<T>): Promise<T> {
    const key = account === undefined ? undefined : sha256(account);
    await this.addresses.take(address);
    if (key !== undefined) await this.accounts.take(key);
    const result = await signIn();
    await Promise.all([
      this.addresses.giveBack(address),
      ...(key === undefined ? [] : [this.accounts.forget(key)]),
    ]);
    return result;
  }
}
