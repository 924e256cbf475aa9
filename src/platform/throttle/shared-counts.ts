import type { Redis } from 'ioredis';

/** Adds to counts and returns them. A new count expires after the first argument, in seconds. */
const ADD = `local counts = {}
  for i, key in ipairs(KEYS) do
    counts[i] = redis.call('INCRBY', key, ARGV[i + 1])
    if counts[i] == tonumber(ARGV[i + 1]) then redis.call('EXPIRE', key, ARGV[1]) end
  end
  return counts`;
/** Maximum number of keys of a round trip, which holds up requests for a fraction of a millisecond. */
const MAX_KEYS = 200;

/** Points for the count of a key. */
export interface Addition {
  readonly key: string;
  readonly points: number;
}

/** Counts by key across all processes. Many are added to in one round trip. */
export class SharedCounts {
  constructor(
    private readonly redis: Redis,
    private readonly name: string,
    private readonly seconds: number,
  ) {}

  /** Returns the counts after the additions, in their order. `undefined` stands for one that failed. */
  async add(additions: readonly Addition[]): Promise<(number | undefined)[]> {
    const counts: (number | undefined)[] = [];
    try {
      while (counts.length < additions.length)
        counts.push(...(await this.addSome(additions.slice(counts.length, counts.length + MAX_KEYS))));
    } catch {
      // While Redis is down, each process counts separately.
    }
    return counts;
  }

  private async addSome(additions: readonly Addition[]): Promise<number[]> {
    const names = additions.map(({ key }) => `fieldwright:${this.name}:${key}`);
    const points = additions.map(({ points }) => points);
    return (await this.redis.eval(ADD, names.length, ...names, this.seconds, ...points)) as number[];
  }
}
