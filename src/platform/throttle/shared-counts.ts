import type { Redis } from 'ioredis';

/** Adds to counts and returns them. A new count expires after the first argument, in seconds. */
const ADD = `local counts = {}
  for i, key in ipairs(KEYS) do
    counts[i] = redis.call('INCRBY', key, ARGV[i + 1])
    if counts[i] == tonumber(ARGV[i + 1]) then redis.call('EXPIRE', key, ARGV[1]) end
  end
  return counts`;

/** Counts by key across all processes. Many are added to in one round trip. */
export class SharedCounts {
  constructor(
    private readonly redis: Redis,
    private readonly name: string,
    private readonly seconds: number,
  ) {}

  /** Adds `points` to the counts of `keys`, in their order, and returns the counts. */
  async add(keys: readonly string[], points: readonly number[]): Promise<number[]> {
    const names = keys.map((key) => `fieldwright:${this.name}:${key}`);
    return (await this.redis.eval(ADD, keys.length, ...names, this.seconds, ...points)) as number[];
  }
}
