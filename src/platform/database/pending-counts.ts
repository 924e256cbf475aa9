/** Parts of a key. Keys of a collection have the same number of parts. */
export type CountKey = readonly (string | number)[];

type Level<T> = Map<string | number, Level<T> | T>;

/** Counts that are collected in memory by key until they are stored. */
export class PendingCounts<T extends object> {
  /** Counts by the parts of their keys: looking up each part takes less time than joining them to a text. */
  private root: Level<T> = new Map();
  private counts: { key: CountKey; count: T }[] = [];

  /**
   * @param addTo adds a count to the one that is known under its key
   * @param max number of different counts; further ones are not counted
   */
  constructor(
    private readonly addTo: (known: T, more: T) => void,
    private readonly max = Infinity,
  ) {}

  add(key: CountKey, more: T): void {
    let level = this.root;
    const last = key.length - 1;
    for (let i = 0; i < last; i++) level = below(level, key[i]!);
    const known = level.get(key[last]!) as T | undefined;
    if (known) return this.addTo(known, more);
    if (this.counts.length >= this.max) return;
    level.set(key[last]!, more);
    this.counts.push({ key, count: more });
  }

  /** Stores all counts in batches. Counts that could not be stored are added to later ones. */
  async store(batch: number, store: (counts: T[]) => Promise<void>): Promise<void> {
    const taken = this.counts;
    this.counts = [];
    this.root = new Map();
    for (let at = 0; at < taken.length; at += batch)
      try {
        await store(taken.slice(at, at + batch).map(({ count }) => count));
      } catch (error) {
        for (const { key, count } of taken.slice(at)) this.add(key, count);
        throw error;
      }
  }
}

function below<T>(level: Level<T>, part: string | number): Level<T> {
  let next = level.get(part) as Level<T> | undefined;
  if (!next) level.set(part, (next = new Map()));
  return next;
}
