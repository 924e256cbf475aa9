import { LRUCache } from 'lru-cache';
import type { SiteChanges } from './site-changes.js';

/**
 * Maximum age of an entry in milliseconds, and how exactly it is observed. Changes through the API evict entries at once;
 * this limits how long a change that nobody announces, such as one in the database itself, is not seen.
 */
const AGING = { ttl: 30_000, ttlResolution: 1_000 };

interface Options<V> {
  /** Maximum number of entries. */
  readonly max: number;
  /** Returns the ID of the application of a value. */
  readonly applicationOf: (value: V) => string;
  /** Maximum total size of the values. Default: no limit. */
  readonly size?: { readonly max: number; readonly of: (value: V) => number };
}

/**
 * Values read from the database that changes of experiences evict in all processes. A process that cannot receive
 * changes caches nothing, and a read that overlaps an eviction is not cached. Concurrent reads of a key are shared. The
 * values of an application are evicted without a look at all others. Keys without a value evict no values, because
 * clients can ask for any number of them.
 */
export class LiveCache<V extends object> {
  private readonly values: LRUCache<string, V>;
  /** Keys without a value, each with the number of evictions when it was read: any later one may have added a value. */
  private readonly missing: LRUCache<string, number>;
  /** Keys by the application of their value. */
  private readonly keys = new Map<string, Set<string>>();
  private reading = new Map<string, Promise<V | undefined>>();
  /** Number of evictions so far. */
  private generation = 0;

  constructor(
    private readonly changes: Pick<SiteChanges, 'isConnected'>,
    private readonly options: Options<V>,
  ) {
    const { max, size } = options;
    const sizes = size && {
      maxSize: size.max,
      sizeCalculation: size.of,
    };
    this.values = new LRUCache({
      max,
      ...AGING,
      dispose: (value, key) => this.forget(value, key),
      ...sizes,
    });
    this.missing = new LRUCache({ max, ...AGING });
  }

  /** Returns the cached value of a key, or what `read` returns. A missing value is cached too. */
  get(key: string, read: () => Promise<V | undefined>): V | undefined | Promise<V | undefined> {
    if (!this.changes.isConnected) return read();
    const value = this.values.get(key);
    if (value !== undefined || this.missing.get(key) === this.generation) return value;
    return this.reading.get(key) ?? this.read(key, read);
  }

  evict(key: string): void {
    this.begin();
    this.values.delete(key);
  }

  /** Evicts the values of an application. */
  evictOf(applicationId: string): void {
    this.begin();
    for (const key of this.keys.get(applicationId) ?? []) this.values.delete(key);
  }

  /** Evicts the values for which `concerns` returns `true`, after a look at all. */
  evictIf(concerns: (value: V) => boolean): void {
    this.begin();
    for (const [key, value] of this.values.entries()) if (concerns(value)) this.values.delete(key);
  }

  clear(): void {
    this.begin();
    this.values.clear();
  }

  /** Later requests must not share reads that may have missed the change. */
  private begin(): void {
    this.generation++;
    this.reading = new Map();
  }

  private async read(key: string, read: () => Promise<V | undefined>): Promise<V | undefined> {
    const { generation, reading } = this;
    const found = read();
    reading.set(key, found);
    try {
      const value = await found;
      if (this.changes.isConnected && generation === this.generation) this.keep(key, value);
      return value;
    } finally {
      reading.delete(key);
    }
  }

  private keep(key: string, value: V | undefined): void {
    if (value === undefined) return void this.missing.set(key, this.generation);
    this.values.set(key, value);
    // A value that is too large is not kept.
    if (!this.values.has(key)) return;
    const id = this.options.applicationOf(value);
    const keys = this.keys.get(id);
    if (keys) keys.add(key);
    else this.keys.set(id, new Set([key]));
  }

  private forget(value: V, key: string): void {
    const id = this.options.applicationOf(value);
    const keys = this.keys.get(id);
    keys?.delete(key);
    if (keys?.size === 0) this.keys.delete(id);
  }
}
