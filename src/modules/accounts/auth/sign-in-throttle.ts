import { Injectable } from '@nestjs/common';
import { sha256 } from '../../../lib/crypto/hashes.js';
import { AccountLocked, ApiError } from '../../../lib/errors/errors.js';
import type { AttemptBackoff } from '../../../platform/throttle/attempt-backoff.js';
import { networkOf } from '../../../platform/throttle/network.js';
import type { RateLimit } from '../../../platform/throttle/rate-limit.js';
import { RateLimits } from '../../../platform/throttle/rate-limits.js';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
const TOO_MANY_FAILURES = 'Too many failed sign-ins, try again later';

/** Limits for one account and one network. */
const PAIR = { freeAttempts: 10, first: 15, max: 15 * MINUTE, window: 60 * MINUTE };
/**
 * Limits for one account from all networks from which it has never signed in. Delays are short because any client can
 * cause them.
 */
const ACCOUNT = { freeAttempts: 100, first: 1, max: MINUTE, window: DAY };
/** Limits for two-factor codes. Only a client with the password can guess codes, so the network is irrelevant. */
const CODE = { freeAttempts: 10, first: 15, max: 15 * MINUTE, window: DAY };
const NETWORK = { points: 100, duration: 15 * MINUTE };
const KNOWN_NETWORK = { points: 1, duration: 90 * DAY };

/** An attempt to authenticate. */
export interface Attempt {
  /** E-mail address of the account, whether or not it exists; absent if the sign-in method does not send one. */
  account?: string;
  address: string;
  /** Whether the caller is signed in: other clients must not block users from changing their password. */
  inPerson?: boolean;
}

interface Counters {
  networks: RateLimit;
  pairs: AttemptBackoff;
  accounts: AttemptBackoff;
}

/**
 * Slows down guessing without locking out known users. Failures are counted by account and address together, with
 * growing delays. Guessing from many addresses triggers a delay for the account, except from addresses from which the
 * user has signed in before. While blocked, even the right password is rejected, so further attempts reveal nothing.
 */
@Injectable()
export class SignInThrottle {
  private readonly signIns: Counters;
  private readonly confirmations: Counters;
  private readonly codes: AttemptBackoff;
  /** Networks from which accounts have signed in. */
  private readonly knownNetworks: RateLimit;

  constructor(limits: RateLimits) {
    const locked = (seconds: number) => new AccountLocked(seconds);
    const counters = (name: string): Counters => ({
      networks: limits.limit(`${name}:address`, NETWORK, TOO_MANY_FAILURES),
      pairs: limits.backoff(`${name}:pair`, PAIR, locked),
      accounts: limits.backoff(`${name}:account`, ACCOUNT, locked),
    });
    this.signIns = counters('sign-in');
    this.confirmations = counters('confirmation');
    this.codes = limits.backoff('sign-in:code', CODE, locked);
    this.knownNetworks = limits.limit('sign-in:familiar', KNOWN_NETWORK);
  }

  /**
   * Runs an attempt. It counts as failed until it succeeds, so that concurrent attempts cannot bypass a delay. Throws
   * `AccountLocked` while blocked, and `TooManyRequests` after too many failures from the address.
   */
  async attempt<T>({ account, address, inPerson }: Attempt, signIn: () => Promise<T>): Promise<T> {
    const counters = inPerson ? this.confirmations : this.signIns;
    const network = networkOf(address);
    await counters.networks.consume(network);
    const result =
      account === undefined
        ? await signIn()
        : await this.attemptOn(sha256(account), network, counters, signIn);
    await counters.networks.refund(network);
    return result;
  }

  /** Runs an attempt with a two-factor code, which counts as failed until it succeeds. */
  async withCode(userId: string, take: () => Promise<void>): Promise<void> {
    await this.codes.consume(userId);
    await take();
    await this.codes.reset(userId);
  }

  private async attemptOn<T>(
    account: string,
    network: string,
    { pairs, accounts }: Counters,
    signIn: () => Promise<T>,
  ): Promise<T> {
    const pair = `${account}:${network}`;
    await pairs.consume(pair);
    const isFamiliar = await this.knownNetworks.has(pair);
    try {
      if (!isFamiliar) await accounts.consume(account);
    } catch (refusal) {
      await pairs.refund(pair);
      throw refusal;
    }
    const notFailed = async (): Promise<void> => {
      if (!isFamiliar) await accounts.refund(account);
    };
    try {
      const result = await signIn();
      await Promise.all([notFailed(), pairs.reset(pair), this.knownNetworks.restart(pair)]);
      return result;
    } catch (error) {
      // A server error is not a failed guess.
      if (!(error instanceof ApiError) || error.status >= 500)
        await Promise.all([notFailed(), pairs.refund(pair)]);
      throw error;
    }
  }
}
