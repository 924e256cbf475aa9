import { Injectable } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { Repeated } from '../database/repeated.js';
import type { RateLimit } from './rate-limit.js';
import { RateLimits } from './rate-limits.js';

/** Requests are counted in windows that begin at the same time in every process. */
export const WINDOW_MS = 10_000;
const SETTLE_MS = 500;
/** Who has sent fewer in a window is no concern of other processes: most callers never cost a trip to Redis. */
const FEW = 20;

interface Count {
  total: number;
  /** What of it was counted here and is not in Redis yet. */
  unsettled: number;
}

/**
 * Counts requests by key in memory, and settles with the other processes over Redis twice a second: a trip for each request
 * would cost more than most requests do.
 */
@Injectable()
export class RequestCounts extends Repeated implements ThrottlerStorage {
  private readonly shared: RateLimit;
  private window = 0;
  private counts = new Map<string, Count>();

  constructor(limits: RateLimits) {
    super(SETTLE_MS, 'Requests were not counted over all processes');
    this.shared = limits.limit('requests-of', {
      points: Number.MAX_SAFE_INTEGER,
      duration: (2 * WINDOW_MS) / 1000,
    });
  }

  /** Counts one for `key` and says how many there were in this window. */
  count(key: string): number {
    const window = Math.floor(Date.now() / WINDOW_MS);
    if (window !== this.window) {
      this.window = window;
      this.counts = new Map();
    }
    let count = this.counts.get(key);
    if (!count) this.counts.set(key, (count = { total: 0, unsettled: 0 }));
    count.unsettled++;
    return ++count.total;
  }

  /** Seconds until counts begin anew. */
  get secondsLeft(): number {
    return Math.ceil(((this.window + 1) * WINDOW_MS - Date.now()) / 1000);
  }

  /** What `ThrottlerGuard` asks of a storage. Windows are those of this class. */
  async increment(key: string, _ttl: number, limit: number) {
    const totalHits = this.count(key);
    const timeToExpire = this.secondsLeft;
    return { totalHits, timeToExpire, isBlocked: totalHits > limit, timeToBlockExpire: timeToExpire };
  }

  protected override async batch(): Promise<boolean> {
    const { window } = this;
    const many = [...this.counts].filter(([, { total, unsettled }]) => unsettled > 0 && total > FEW);
    await Promise.all(many.map(([key, count]) => this.settle(`${window}:${key}`, count)));
    return false;
  }

  private async settle(key: string, count: Count): Promise<void> {
    const points = count.unsettled;
    count.unsettled = 0;
    const { count: everywhere } = await this.shared.add(key, points);
    count.total = Math.max(count.total, everywhere + count.unsettled);
  }
}
