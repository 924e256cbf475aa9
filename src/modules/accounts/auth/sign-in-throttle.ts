import { Injectable } from '@nestjs/common';
import { sha256 } from '../../../lib/crypto/hashes.js';
import { AccountLocked, ApiError } from '../../../lib/errors/errors.js';
import type { GrowingPauses } from '../../../platform/throttle/growing-pauses.js';
import { networkOf } from '../../../platform/throttle/network.js';
import type { RateLimit } from '../../../platform/throttle/rate-limit.js';
import { RateLimits } from '../../../platform/throttle/rate-limits.js';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
const REFUSAL = 'Too many failed sign-ins, try again later';

/** One account from one network. */
const PAIR = { free: 10, first: 15, longest: 15 * MINUTE, window: 60 * MINUTE };
/** One account from wherever it was never signed in from: short pauses, as anybody can cause them. */
const ACCOUNT = { free: 100, first: 1, longest: MINUTE, window: DAY };
/** Codes of a second factor. Only those guess them who have the password, so it does not matter from where. */
const CODE = { free: 10, first: 15, longest: 15 * MINUTE, window: DAY };
const NETWORK = { points: 100, duration: 15 * MINUTE };
const FAMILIAR = { points: 1, duration: 90 * DAY };

/** Who tries to show who they are. */
export interface Attempt {
  /** The address of the account, whether or not there is one; absent where the way of signing in names none. */
  account?: string;
  address: string;
  /** Whether a session asks: what strangers do must not keep a user from changing their password. */
  inPerson?: boolean;
}

interface Counters {
  networks: RateLimit;
  pairs: GrowingPauses;
  accounts: GrowingPauses;
}

/**
 * Slows down who guesses, and keeps no known user out: failures count for an account and an address together, with pauses
 * that grow. Who guesses from many addresses meets a pause of the account, which does not concern those that the user has
 * signed in from before. During a pause even the right password is refused, so nothing is learnt from trying on.
 */
@Injectable()
export class SignInThrottle {
  private readonly signIns: Counters;
  private readonly confirmations: Counters;
  private readonly codes: GrowingPauses;
  /** Where accounts were signed in from. */
  private readonly familiar: RateLimit;

  constructor(limits: RateLimits) {
    const locked = (seconds: number) => new AccountLocked(seconds);
    const counters = (name: string): Counters => ({
      networks: limits.limit(`${name}:address`, NETWORK, REFUSAL),
      pairs: limits.pauses(`${name}:pair`, PAIR, locked),
      accounts: limits.pauses(`${name}:account`, ACCOUNT, locked),
    });
    this.signIns = counters('sign-in');
    this.confirmations = counters('confirmation');
    this.codes = limits.pauses('sign-in:code', CODE, locked);
    this.familiar = limits.limit('sign-in:familiar', FAMILIAR);
  }

  /**
   * Runs an attempt. It counts as failed until it has succeeded, so that many at once are no way around a pause. Throws
   * `AccountLocked` during a pause, and `TooManyRequests` where too much has failed from the address.
   */
  async attempt<T>({ account, address, inPerson }: Attempt, signIn: () => Promise<T>): Promise<T> {
    const counters = inPerson ? this.confirmations : this.signIns;
    const network = networkOf(address);
    await counters.networks.take(network);
    const result =
      account === undefined
        ? await signIn()
        : await this.attemptOn(sha256(account), network, counters, signIn);
    await counters.networks.giveBack(network);
    return result;
  }

  /** Runs an attempt with a code of the user's second factor, which counts as failed until it has succeeded. */
  async withCode(userId: string, take: () => Promise<void>): Promise<void> {
    await this.codes.take(userId);
    await take();
    await this.codes.forget(userId);
  }

  private async attemptOn<T>(
    account: string,
    network: string,
    { pairs, accounts }: Counters,
    signIn: () => Promise<T>,
  ): Promise<T> {
    const pair = `${account}:${network}`;
    await pairs.take(pair);
    const isFamiliar = await this.familiar.has(pair);
    try {
      if (!isFamiliar) await accounts.take(account);
    } catch (refusal) {
      await pairs.giveBack(pair);
      throw refusal;
    }
    const notFailed = async (): Promise<void> => {
      if (!isFamiliar) await accounts.giveBack(account);
    };
    try {
      const result = await signIn();
      await Promise.all([notFailed(), pairs.forget(pair), this.familiar.renew(pair)]);
      return result;
    } catch (error) {
      // That a server does not answer is nobody's guess.
      if (!(error instanceof ApiError) || error.status >= 500)
        await Promise.all([notFailed(), pairs.giveBack(pair)]);
      throw error;
    }
  }
}
