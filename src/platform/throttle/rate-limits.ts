import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { TooManyRequests } from '../errors/errors.js';
import { boundedRedis, REDIS_URL } from '../jobs/redis.js';
import { Windows, type Rate, type Window } from './windows.js';

/** Counts what is limited by rate, over all processes. While Redis does not answer each process counts for itself. */
@Injectable()
export class RateLimits implements OnModuleDestroy {
  private readonly redis: Redis;

  constructor(@Inject(REDIS_URL) url: string) {
    this.redis = boundedRedis(url);
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
    });
    return new RateLimit(limiter, rate, refusal);
  }
}

/** How often something may happen, for each key. */
export class RateLimit {
  private readonly alone: Windows;

  constructor(
    private readonly limiter: RateLimiterRedis,
    private readonly rate: Rate,
    private readonly refusal?: string,
  ) {
    this.alone = new Windows(rate.duration);
  }

  /** Counts one for `key`; throws `TooManyRequests` where it is one too many. */
  async take(key: string): Promise<void> {
    const { count, msLeft } = await this.add(key, 1);
    if (count > this.rate.points) throw new TooManyRequests(msLeft / 1000, this.refusal);
  }

  /** Takes one back. */
  async giveBack(key: string): Promise<void> {
    await this.add(key, -1);
  }

  /** Counts from nothing again. */
  async forget(key: string): Promise<void> {
    this.alone.forget(key);
    await this.limiter.delete(key).catch(() => undefined);
  }

  private async add(key: string, points: number): Promise<Window> {
    try {
      const { consumedPoints, msBeforeNext } = await this.limiter.penalty(key, points);
      return { count: consumedPoints, msLeft: msBeforeNext };
    } catch {
      return this.alone.add(key, points);
    }
  }
}
