import type { RateLimiterRedis } from 'rate-limiter-flexible';
import { TooManyRequests } from '../../lib/errors/errors.js';
import { Windows, type Rate, type Window } from './windows.js';

/** How often something may happen, for each key. What Redis said last is where a process goes on while it is away. */
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

  /** Counts so many; the first opens a window of the limit's duration, or of that many seconds. */
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

  /** Opens a window anew, with one that was counted. */
  async renew(key: string): Promise<void> {
    await this.forget(key);
    await this.add(key, 1);
  }

  /** Whether anything was counted in the window. */
  async has(key: string): Promise<boolean> {
    try {
      return ((await this.limiter.get(key))?.consumedPoints ?? 0) > 0;
    } catch {
      return this.alone.has(key);
    }
  }
}
