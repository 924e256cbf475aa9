import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { ApiError } from '../../lib/errors/errors.js';
import { boundedRedis, REDIS_URL } from '../jobs/redis.js';
import { AttemptBackoff, type BackoffRule } from './attempt-backoff.js';
import { RateLimit } from './rate-limit.js';
import { SharedCounts } from './shared-counts.js';
import type { Rate } from './windows.js';

/** Rate limits across all processes. While Redis is down, each process counts separately. */
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

  /** Returns a rate limit that is counted under `name`; `refusal` is the error message beyond the limit. */
  limit(name: string, rate: Rate, refusal?: string): RateLimit {
    const limiter = new RateLimiterRedis({
      ...rate,
      storeClient: this.redis,
      keyPrefix: `fieldwright:${name}`,
    });
    return new RateLimit(limiter, this.redis, rate, refusal);
  }

  /** Returns counts under `name` that expire after `seconds`. */
  counts(name: string, seconds: number): SharedCounts {
    return new SharedCounts(this.redis, name, seconds);
  }

  /** Returns growing pauses that are counted under `name`; `refusal` creates the error thrown during a pause. */
  backoff(name: string, rule: BackoffRule, refusal: (seconds: number) => ApiError): AttemptBackoff {
    const { freeAttempts: points, window, max } = rule;
    const failures = this.limit(`${name}:failures`, { points, duration: window });
    const pauses = this.limit(`${name}:pause`, { points: 1, duration: max });
    return new AttemptBackoff(failures, pauses, rule, refusal);
  }
}
