import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { sha256 } from '../../platform/crypto/hashes.js';
import { TooManyRequests } from '../../platform/errors/errors.js';
import { REDIS_URL } from '../../platform/jobs/redis.js';

const WINDOW_SECONDS = 15 * 60;
const FAILURES = { account: 10, address: 100 } as const;

/**
 * Counts failed sign-ins, ten an account and a hundred an address in a quarter of an hour, over all processes. Past
 * that even the right password gets 429, so an attacker learns nothing from trying on. Without Redis each process
 * counts for itself.
 */
@Injectable()
export class SignInThrottle implements OnModuleDestroy {
  private readonly redis: Redis;
  private readonly accounts: RateLimiterRedis;
  private readonly addresses: RateLimiterRedis;

  constructor(@Inject(REDIS_URL) url: string) {
    this.redis = new Redis(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: 1_000,
    });
    this.redis.on('error', () => undefined);
    this.redis.connect().catch(() => undefined);
    this.accounts = this.limiter('account');
    this.addresses = this.limiter('address');
  }

  onModuleDestroy(): void {
    this.redis.disconnect();
  }

  /**
   * Runs an attempt to sign in as `account` from `address`. It counts as failed until it has succeeded, so that many at
   * once are no way around the limit. Throws `TooManyRequests` when either has failed too often.
   */
  async attempt<T>(account: string | undefined, address: string, signIn: () => Promise<T>): Promise<T> {
    const key = account === undefined ? undefined : sha256(account);
    await this.consume(this.addresses, address);
    if (key !== undefined) await this.consume(this.accounts, key);
    const result = await signIn();
    await Promise.all([
      this.addresses.reward(address),
      ...(key === undefined ? [] : [this.accounts.delete(key)]),
    ]);
    return result;
  }

  private async consume(limiter: RateLimiterRedis, key: string): Promise<void> {
    try {
      await limiter.consume(key);
    } catch (refused) {
      if (refused instanceof RateLimiterRes)
        throw new TooManyRequests(refused.msBeforeNext / 1000, 'Too many failed sign-ins, try again later');
      throw refused;
    }
  }

  private limiter(kind: keyof typeof FAILURES): RateLimiterRedis {
    const limits = { points: FAILURES[kind], duration: WINDOW_SECONDS };
    return new RateLimiterRedis({
      ...limits,
      storeClient: this.redis,
      keyPrefix: `fieldwright:sign-in:${kind}`,
      rejectIfRedisNotReady: true,
      insuranceLimiter: new RateLimiterMemory(limits),
    });
  }
}
