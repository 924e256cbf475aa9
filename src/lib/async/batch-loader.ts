interface PendingKey<Key, Found> {
  key: Key;
  resolve: (found: Found) => void;
  reject: (error: unknown) => void;
}

/** Batches the keys requested in one turn of the event loop: one statement for many requests. */
export class BatchLoader<Key, Found> {
  private pending: PendingKey<Key, Found>[] = [];

  /** `find` returns results in the order of the keys, up to the maximum number of keys. */
  constructor(
    private readonly find: (keys: readonly Key[]) => Promise<readonly Found[]>,
    private readonly maxKeys: number,
  ) {}

  load(key: Key): Promise<Found> {
    return new Promise((resolve, reject) => {
      const count = this.pending.push({ key, resolve, reject });
      if (count === 1) setImmediate(() => void this.flush());
      else if (count === this.maxKeys) void this.flush();
    });
  }

  private async flush(): Promise<void> {
    const { pending } = this;
    if (pending.length === 0) return;
    this.pending = [];
    try {
      const found = await this.find(pending.map(({ key }) => key));
      pending.forEach(({ resolve }, i) => resolve(found[i]!));
    } catch (error) {
      for (const { reject } of pending) reject(error);
    }
  }
}
