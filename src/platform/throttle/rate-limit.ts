import type { RateLimiterRedis } from 'rate-limiter-flexible';
import { TooManyRequests } from '../../lib/errors/errors.js';
import { Windows, type Rate, type Window } from './windows.js';

/** Rate limit per key. While Redis is down, a process continues with the last count that Redis returned. */
export class RateLimit {
  private readonly alone: Windows;

  constructor(
    private readonly limiter: RateLimiterRedis,
    private readonly rate: Rate,
    private readonly refusal?: string,
  ) {
    this.alone = new Windows(rate.duration);
  }

  /** Counts one for `key`; throws `TooManyRequests` if this exceeds the limit. */
  async take(key: string): Promise<void> {
    const { count, msLeft } = await this.add(key, 1);
    if (count > this.rate.points) throw new TooManyRequests(msLeft / 1000, this.refusal);
  }

  /** Removes one from the count. */
  async giveBack(key: string): Promise<void> {
    await this.add(key, -1);
  }

  /** Resets the count of the key. */
  async forget(key: string): Promise<void> {
    this.alone.forget(key);
    await this.limiter.delete(key).catch(() => undefined);
  }

  /** Adds points to the count. The first call starts a window with the duration of the limit, or of `seconds`. */
  async add(key: string, points: number, seconds = this.rate.duration): Promise<Window> {
    try {
      const options = { customDuration: Math.ceil(seconds) };
      const { consumedPoints, msBeforeNext } = await this.limiter.penalty(key, points, options);
      const window = { count: consumedPoints, msLeft: msBeforeNext };
      this.alone.set(key, window);
      return window;
    } catch {
      return this.alone.add(key, points, seconds);
    }
  }

  /** Starts a new window with a count of one. */
  async renew(key: string): Promise<void> {
    await this.forget(key);
    await this.add(key, 1);
  }

  /** Returns whether the window has a count. */
  async has(key: string): Promise<boolean> {
    try {
      return ((await this.limiter.get(key))?.consumedPoints ?? 0) > 0;
    } catch {
      return this.alone.has(key);
    }
  }
}
