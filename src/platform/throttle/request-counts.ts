import { Injectable } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { PROCESS_ROLES } from '../../config/config.js';
import { PeriodicTask } from '../database/periodic-task.js';
import { RunsIn } from '../processes/roles.js';
import type { RateLimit } from './rate-limit.js';
import { RateLimits } from './rate-limits.js';

/** Length of the windows in which requests are counted; they start at the same time in all processes. */
export const WINDOW_MS = 10_000;
const SYNC_INTERVAL_MS = 500;
/** Counts up to this value are not shared, so that most callers never cause a round trip to Redis. */
const SYNC_THRESHOLD = 20;

interface Count {
  total: number;
  /** Part of the total that was counted in this process and is not in Redis yet. */
  unsynced: number;
}

/**
 * Counts requests by key in memory and synchronizes with other processes through Redis twice a second, because a round
 * trip per request would cost more than most requests.
 */
@Injectable()
@RunsIn(...PROCESS_ROLES)
export class RequestCounts extends PeriodicTask implements ThrottlerStorage {
  private readonly shared: RateLimit;
  private window = 0;
  private counts = new Map<string, Count>();

  constructor(limits: RateLimits) {
    super(SYNC_INTERVAL_MS, 'Could not synchronize the request counts of the processes');
    this.shared = limits.limit('requests-of', {
      points: Number.MAX_SAFE_INTEGER,
      duration: (2 * WINDOW_MS) / 1000,
    });
  }

  /** Counts one for `key` and returns the total in this window. */
  count(key: string): number {
    const window = Math.floor(Date.now() / WINDOW_MS);
    if (window !== this.window) {
      this.window = window;
      this.counts = new Map();
    }
    let count = this.counts.get(key);
    if (!count) this.counts.set(key, (count = { total: 0, unsynced: 0 }));
    count.unsynced++;
    return ++count.total;
  }

  /** Returns the seconds until the window ends. */
  get secondsLeft(): number {
    return Math.ceil(((this.window + 1) * WINDOW_MS - Date.now()) / 1000);
  }

  /** Implements the storage interface of `ThrottlerGuard`, with the windows of this class. */
  async increment(key: string, _ttl: number, limit: number) {
    const totalHits = this.count(key);
    const timeToExpire = this.secondsLeft;
    return { totalHits, timeToExpire, isBlocked: totalHits > limit, timeToBlockExpire: timeToExpire };
  }

  protected override async runBatch(): Promise<boolean> {
    const { window } = this;
    const many = [...this.counts].filter(([, { total, unsynced }]) => unsynced > 0 && total > SYNC_THRESHOLD);
    await Promise.all(many.map(([key, count]) => this.synchronize(`${window}:${key}`, count)));
    return false;
  }

  private async synchronize(key: string, count: Count): Promise<void> {
    const points = count.unsynced;
    count.unsynced = 0;
    const { count: everywhere } = await this.shared.add(key, points);
    count.total = Math.max(count.total, everywhere + count.unsynced);
  }
}
