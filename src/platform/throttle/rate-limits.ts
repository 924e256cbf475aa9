import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { TooManyRequests } from '../errors/errors.js';
import { REDIS_URL } from '../jobs/redis.js';

/** So many of something in so many seconds. */
export interface Rate {
  points: number;
  duration: number;
}

/** Counts what is limited by rate, over all processes. Without Redis each process counts for itself. */
@Injectable()
export class RateLimits implements OnModuleDestroy {
  private readonly redis: Redis;

  constructor(@Inject(REDIS_URL) url: string) {
    this.redis = new Redis(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: 1_000,
    });
    this.redis.on('error', () => undefined);
    this.redis.connect().catch(() => undefined);
  }

  onModuleDestroy(): void {
    this.redis.disconnect();
  }

  /** A limit of its own, counted under `name`; `refusal` is what callers beyond it are told. */
  limit(name: string, rate: Rate, refusal?: string): RateLimit {
    const limiter = new RateLimiterRedis({
      ...rate,
      storeClient: this.redis,
      keyPrefix: `fieldwright:${name}`,
      rejectIfRedisNotReady: true,
      insuranceLimiter: new RateLimiterMemory(rate),
    });
    return new RateLimit(limiter, refusal);
  }
}

/** How often something may happen, for each key. */
export class RateLimit {
  constructor(
    private readonly limiter: RateLimiterRedis,
    private readonly refusal?: string,
  ) {}

  /** Counts one for `key`; throws `TooManyRequests` where it is one too many. */
  async take(key: string): Promise<void> {
    try {
      await this.limiter.consume(key);
    } catch (refused) {
      if (refused instanceof RateLimiterRes)
        throw new TooManyRequests(refused.msBeforeNext / 1000, this.refusal);
      throw refused;
    }
  }

  /** Takes one back. */
  async giveBack(key: string): Promise<void> {
    await this.limiter.reward(key);
  }

  /** Counts from nothing again. */
  async forget(key: string): Promise<void> {
    await this.limiter.delete(key);
  }
}
