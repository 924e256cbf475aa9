import { Injectable } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { PROCESS_ROLES } from '../../config/config.js';
import { PeriodicTask } from '../database/periodic-task.js';
import { RunsIn } from '../processes/roles.js';
import { RateLimits } from './rate-limits.js';
import type { SharedCounts } from './shared-counts.js';

/** Length of the windows in which requests are counted; they start at the same time in all processes. */
export const WINDOW_MS = 10_000;
const SYNC_INTERVAL_MS = 500;
/** Counts up to this value are not shared, so that most callers never cause a round trip to Redis. */
const SYNC_THRESHOLD = 20;

interface Count {
  key: string;
  total: number;
  /** Part of the total that was counted in this process and is not in Redis yet. */
  unsynced: number;
  /** Whether the next synchronization includes it. */
  isDue: boolean;
}

/**
 * Counts requests by key in memory and synchronizes with other processes through Redis twice a second, because a round
 * trip per request would cost more than most requests.
 */
@Injectable()
@RunsIn(...PROCESS_ROLES)
export class RequestCounts extends PeriodicTask implements ThrottlerStorage {
  private readonly shared: SharedCounts;
  private window = 0;
  private counts = new Map<string, Count>();
  private due: Count[] = [];

  constructor(limits: RateLimits) {
    super(SYNC_INTERVAL_MS, 'Could not synchronize the request counts of the processes');
    this.shared = limits.counts('requests-of', (2 * WINDOW_MS) / 1000);
  }

  /** Counts one for `key` and returns the total in this window. */
  count(key: string): number {
    const window = Math.floor(Date.now() / WINDOW_MS);
    if (window !== this.window) {
      this.window = window;
      this.counts = new Map();
      this.due = [];
    }
    let count = this.counts.get(key);
    if (!count) this.counts.set(key, (count = { key, total: 0, unsynced: 0, isDue: false }));
    count.unsynced++;
    count.total++;
    if (count.total > SYNC_THRESHOLD && !count.isDue) {
      count.isDue = true;
      this.due.push(count);
    }
    return count.total;
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
    const { window, due } = this;
    this.due = [];
    const additions = due.map(({ key, unsynced }) => ({ key: `${window}:${key}`, points: unsynced }));
    for (const count of due) {
      count.unsynced = 0;
      count.isDue = false;
    }
    const everywhere = await this.shared.add(additions);
    due.forEach((count, i) => {
      const sum = everywhere[i];
      // Points that could not be added are added with the next ones.
      if (sum === undefined) count.unsynced += additions[i]!.points;
      else count.total = Math.max(count.total, sum + count.unsynced);
    });
    return false;
  }
}
