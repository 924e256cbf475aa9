import type { Redis } from 'ioredis';
import type { RateLimiterRedis } from 'rate-limiter-flexible';
import { BatchLoader } from '../../lib/async/batch-loader.js';
import { TooManyRequests } from '../../lib/errors/errors.js';
import { Windows, type Rate, type Window } from './windows.js';

const MAX_BATCH = 500;

/** Rate limit per key. While Redis is down, a process continues with the last count that Redis returned. */
export class RateLimit {
  private readonly local: Windows;
  private readonly counts = new BatchLoader<string, string | null>(
    (keys) => this.redis.mget(keys.map((key) => this.limiter.getKey(key))),
    MAX_BATCH,
  );

  constructor(
    private readonly limiter: RateLimiterRedis,
    private readonly redis: Redis,
    readonly rate: Rate,
    private readonly message?: string,
  ) {
    this.local = new Windows(rate.duration);
  }

  /** Counts one for `key`; throws `TooManyRequests` if this exceeds the limit. */
  async consume(key: string): Promise<void> {
    const { count, msLeft } = await this.add(key, 1);
    if (count > this.rate.points) throw new TooManyRequests(msLeft / 1000, this.message);
  }

  /** Removes one from the count. */
  async refund(key: string): Promise<void> {
    await this.add(key, -1);
  }

  /** Resets the count of the key. */
  async reset(key: string): Promise<void> {
    this.local.reset(key);
    await this.limiter.delete(key).catch(() => undefined);
  }

  /** Adds points to the count. The first call starts a window with the duration of the limit, or of `seconds`. */
  async add(key: string, points: number, seconds = this.rate.duration): Promise<Window> {
    try {
      const options = { customDuration: Math.ceil(seconds) };
      const { consumedPoints, msBeforeNext } = await this.limiter.penalty(key, points, options);
      const window = { count: consumedPoints, msLeft: msBeforeNext };
      this.local.set(key, window);
      return window;
    } catch {
      return this.local.add(key, points, seconds);
    }
  }

  /** Starts a new window with a count of one. */
  async restart(key: string): Promise<void> {
    await this.reset(key);
    await this.add(key, 1);
  }

  /** Returns whether the window has a count. Keys of one turn of the event loop are read together. */
  async has(key: string): Promise<boolean> {
    try {
      return Number(await this.counts.load(key)) > 0;
    } catch {
      return this.local.has(key);
    }
  }
}
