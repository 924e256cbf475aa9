interface Asked<Key, Found> {
  key: Key;
  resolve: (found: Found) => void;
  reject: (error: unknown) => void;
}

/** Batches the keys requested in one turn of the event loop: one statement for many requests. */
export class Together<Key, Found> {
  private asked: Asked<Key, Found>[] = [];

  /** `find` returns results in the order of the keys, up to the maximum number of keys. */
  constructor(
    private readonly find: (keys: readonly Key[]) => Promise<readonly Found[]>,
    private readonly most: number,
  ) {}

  get(key: Key): Promise<Found> {
    return new Promise((resolve, reject) => {
      const count = this.asked.push({ key, resolve, reject });
      if (count === 1) setImmediate(() => void this.findAsked());
      else if (count === this.most) void this.findAsked();
    });
  }

  private async findAsked(): Promise<void> {
    const { asked } = this;
    if (asked.length === 0) return;
    this.asked = [];
    try {
      const found = await this.find(asked.map(({ key }) => key));
      asked.forEach(({ resolve }, i) => resolve(found[i]!));
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
}
