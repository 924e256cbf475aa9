import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { PeriodicTask } from '../../platform/database/periodic-task.js';
import { RunsIn } from '../../platform/processes/roles.js';
import { RateLimits } from '../../platform/throttle/rate-limits.js';
import type { SharedCounts } from '../../platform/throttle/shared-counts.js';

/** Seconds of the average rate that a site can use at once. */
const BURST_SECONDS = 10;
const SYNC_INTERVAL_MS = 500;
/** Windows in which processes add up their requests. */
const WINDOW_MS = 10_000;

/** What a site may still use. */
interface Bucket {
  tokens: number;
  /** When the tokens were counted, in milliseconds. */
  at: number;
  /** Requests of this process that other processes do not know of. */
  unsynced: number;
  /** Requests of all processes in a window, as last seen. */
  window: number;
  seen: number;
}

/**
 * Limits the requests of each site: a bucket of tokens that is refilled at the average rate. Each process has its own
 * buckets and twice a second takes from them what other processes have used, so requests wait for nothing.
 */
@Injectable()
@RunsIn('sites')
export class SiteRates extends PeriodicTask {
  private readonly buckets = new Map<string, Bucket>();
  private readonly shared: SharedCounts;
  private readonly rate: number;
  private readonly max: number;

  constructor(config: Config, limits: RateLimits) {
    super(SYNC_INTERVAL_MS, 'Could not synchronize the request counts of sites');
    this.rate = config.REQUESTS_PER_SITE;
    this.max = this.rate * BURST_SECONDS;
    this.shared = limits.counts('site-requests', (2 * WINDOW_MS) / 1000);
  }

  /** Counts a request to a site. Returns whether it is within the limit. */
  admit(site: string): boolean {
    if (this.rate === 0) return true;
    const now = performance.now();
    let bucket = this.buckets.get(site);
    if (!bucket)
      this.buckets.set(site, (bucket = { tokens: this.max, at: now, unsynced: 0, window: 0, seen: 0 }));
    bucket.tokens = Math.min(this.max, bucket.tokens + ((now - bucket.at) / 1000) * this.rate);
    bucket.at = now;
    if (bucket.tokens < 1) return false;
    bucket.tokens--;
    bucket.unsynced++;
    return true;
  }

  protected override async runBatch(): Promise<boolean> {
    const now = performance.now();
    const used: [string, Bucket][] = [];
    for (const [site, bucket] of this.buckets) {
      if (bucket.unsynced > 0) used.push([site, bucket]);
      // A full bucket is the same as none.
      else if (bucket.tokens + ((now - bucket.at) / 1000) * this.rate >= this.max) this.buckets.delete(site);
    }
    // Sites that use little cannot exceed the limit in any number of processes that matters.
    const busy = used.filter(
      ([, { tokens, unsynced }]) => unsynced > this.rate / 10 || tokens < this.max / 2,
    );
    await this.synchronize(busy);
    return false;
  }

  /** Adds the requests of this process to those of all, and takes those of others from the buckets. */
  private async synchronize(sites: readonly (readonly [string, Bucket])[]): Promise<void> {
    const window = Math.floor(Date.now() / WINDOW_MS);
    const additions = sites.map(([site, { unsynced }]) => ({ key: `${window}:${site}`, points: unsynced }));
    for (const [, bucket] of sites) bucket.unsynced = 0;
    const counts = await this.shared.add(additions);
    sites.forEach(([, bucket], i) => {
      const count = counts[i];
      const own = additions[i]!.points;
      // Requests that could not be added are added with the next ones.
      if (count === undefined) return void (bucket.unsynced += own);
      const before = bucket.window === window ? bucket.seen : 0;
      bucket.tokens = Math.max(-this.max, bucket.tokens - Math.max(0, count - before - own));
      bucket.window = window;
      bucket.seen = count;
    });
  }
}
