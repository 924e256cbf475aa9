import { LRUCache } from 'lru-cache';
import type { SiteChanges } from '../platform/sites/site-changes.js';

/**
 * Maximum age of an entry in milliseconds. Changes through the API evict entries at once; this limits how long a change
 * that nobody announces, such as one in the database itself, is not seen.
 */
const MAX_AGE_MS = 30_000;

interface Entry<V> {
  /** `undefined` if nothing was found. */
  readonly value: V | undefined;
}

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
 * values of an application are evicted without a look at all others.
 */
export class LiveCache<V extends object> {
  private readonly entries: LRUCache<string, Entry<V>>;
  /** Keys by the application of their value; keys without a value by `undefined`. */
  private readonly keys = new Map<string | undefined, Set<string>>();
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
      sizeCalculation: ({ value }: Entry<V>) => (value ? size.of(value) : 1),
    };
    this.entries = new LRUCache({
      max,
      ttl: MAX_AGE_MS,
      dispose: (entry, key) => this.forget(entry, key),
      ...sizes,
    });
  }

  /** Returns the cached value of a key, or what `read` returns. A missing value is cached too. */
  get(key: string, read: () => Promise<V | undefined>): V | undefined | Promise<V | undefined> {
    if (!this.changes.isConnected) return read();
    const entry = this.entries.get(key);
    return entry ? entry.value : (this.reading.get(key) ?? this.read(key, read));
  }

  evict(key: string): void {
    this.begin();
    this.entries.delete(key);
  }

  /** Evicts the values of an application, and that others are missing: a change of it may have added them. */
  evictOf(applicationId: string): void {
    this.begin();
    for (const id of [applicationId, undefined])
      for (const key of this.keys.get(id) ?? []) this.entries.delete(key);
  }

  /** Evicts the values for which `concerns` returns `true`, after a look at all. */
  evictIf(concerns: (value: V | undefined) => boolean): void {
    this.begin();
    for (const [key, { value }] of this.entries.entries()) if (concerns(value)) this.entries.delete(key);
  }

  clear(): void {
    this.begin();
    this.entries.clear();
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
      if (this.changes.isConnected && generation === this.generation) this.keep(key, { value });
      return value;
    } finally {
      reading.delete(key);
    }
  }

  private keep(key: string, entry: Entry<V>): void {
    this.entries.set(key, entry);
    // A value that is too large is not kept.
    if (!this.entries.has(key)) return;
    const id = this.applicationOf(entry);
    const keys = this.keys.get(id);
    if (keys) keys.add(key);
    else this.keys.set(id, new Set([key]));
  }

  private forget(entry: Entry<V>, key: string): void {
    const id = this.applicationOf(entry);
    const keys = this.keys.get(id);
    keys?.delete(key);
    if (keys?.size === 0) this.keys.delete(id);
  }

  private applicationOf({ value }: Entry<V>): string | undefined {
    return value && this.options.applicationOf(value);
  }
}
