import { LRUCache } from 'lru-cache';

/** A rate: number of points per duration in seconds. */
export interface Rate {
  points: number;
  duration: number;
}

/** Count of a key until its window ends. */
export interface Window {
  count: number;
  /** Milliseconds until the window ends. */
  msLeft: number;
}

/** Maximum number of keys. Clients determine keys, such as addresses, so the least recently used ones are evicted. */
const MAX_KEYS = 100_000;

/**
 * Counts by key in this process. A window starts with the first count of a key and lasts for the duration of the rate.
 */
export class Windows {
  /** Limited by size, because `max` would allocate space for all entries of each limit in advance. */
  private readonly windows = new LRUCache<string, { count: number; endsAt: number }>({
    maxSize: MAX_KEYS,
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

  /** Continues from a count of another process. */
  set(key: string, { count, msLeft }: Window): void {
    this.windows.set(key, { count, endsAt: performance.now() + msLeft });
  }

  has(key: string): boolean {
    const window = this.windows.get(key);
    return window !== undefined && window.count > 0 && window.endsAt > performance.now();
  }

  reset(key: string): void {
    this.windows.delete(key);
  }
}
