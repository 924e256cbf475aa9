/** Counts that are collected in memory by key until they are stored. */
export class PendingCounts<T> {
  private counts = new Map<string, T>();

  /**
   * @param addTo adds a count to the one that is known under its key
   * @param max number of different counts; further ones are not counted
   */
  constructor(
    private readonly addTo: (known: T, more: T) => void,
    private readonly max = Infinity,
  ) {}

  add(key: string, more: T): void {
    const known = this.counts.get(key);
    if (known) this.addTo(known, more);
    else if (this.counts.size < this.max) this.counts.set(key, more);
  }

  /** Stores all counts in batches. Counts that could not be stored are added to later ones. */
  async store(batch: number, store: (counts: T[]) => Promise<void>): Promise<void> {
    const taken = [...this.counts];
    this.counts = new Map();
    for (let at = 0; at < taken.length; at += batch)
      try {
        await store(taken.slice(at, at + batch).map(([, count]) => count));
      } catch (error) {
        for (const [key, count] of taken.slice(at)) this.add(key, count);
        throw error;
      }
  }
}
