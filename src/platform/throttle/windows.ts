import { LRUCache } from 'lru-cache';

/** So many of something in so many seconds. */
export interface Rate {
  points: number;
  duration: number;
}

/** What was counted for a key, until its time is over. */
export interface Window {
  count: number;
  /** Milliseconds until it begins anew. */
  msLeft: number;
}

/** Strangers choose keys, such as addresses: of more than these the ones that were used longest ago are forgotten. */
const MOST_KEYS = 100_000;

/** Counts by key in this process, each from its first one on for as long as the rate says. */
export class Windows {
  /** Bounded by size, as room for `max` entries would be taken at once, by each of the limits. */
  private readonly windows = new LRUCache<string, { count: number; endsAt: number }>({
    maxSize: MOST_KEYS,
    sizeCalculation: () => 1,
  });

  constructor(private readonly duration: number) {}

  add(key: string, points: number, seconds = this.duration): Window {
    const now = performance.now();
    let window = this.windows.get(key);
    if (!window || window.endsAt <= now) {
      window = { count: 0, endsAt: now + seconds * 1000 };
      this.windows.set(key, window);
    }
    window.count = Math.max(0, window.count + points);
    return { count: window.count, msLeft: window.endsAt - now };
  }

  /** Goes on from what was counted elsewhere. */
  set(key: string, { count, msLeft }: Window): void {
    this.windows.set(key, { count, endsAt: performance.now() + msLeft });
  }

  has(key: string): boolean {
    const window = this.windows.get(key);
    return window !== undefined && window.count > 0 && window.endsAt > performance.now();
  }

  forget(key: string): void {
    this.windows.delete(key);
  }
}
