import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { TooManyRequests } from './errors/errors.js';
import { REDIS_URL } from './jobs/redis.js';

const LIMITS = { points: 100, duration: 10 };

/**
 * Lets a hundred requests in ten seconds through for each thing that can be triggered from outside, over all processes.
 * Without Redis each process counts for itself.
 */
@Injectable()
export class RequestThrottle implements OnModuleDestroy {
  private readonly redis: Redis;
  private readonly limiter: RateLimiterRedis;

  constructor(@Inject(REDIS_URL) url: string) {
    this.redis = new Redis(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: 1_000,
    });
    this.redis.on('error', () => undefined);
    this.redis.connect().catch(() => undefined);
    this.limiter = new RateLimiterRedis({
      ...LIMITS,
      storeClient: this.redis,
      keyPrefix: 'fieldwright:requests',
      rejectIfRedisNotReady: true,
      insuranceLimiter: new RateLimiterMemory(LIMITS),
    });
  }

  onModuleDestroy(): void {
    this.redis.disconnect();
  }

  /** Counts a request of `key`; throws `TooManyRequests` where it is one too many. */
  async take(key: string): Promise<void> {
    try {
      await this.limiter.consume(key);
    } catch (refused) {
      if (refused instanceof RateLimiterRes) throw new TooManyRequests(refused.msBeforeNext / 1000);
      throw refused;
    }
  }
}
