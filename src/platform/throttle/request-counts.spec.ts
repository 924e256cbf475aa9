import type { RateLimits } from './rate-limits.js';
import { RequestCounts } from './request-counts.js';
import type { Addition, SharedCounts } from './shared-counts.js';

/** Counts that processes share. */
class Shared implements Pick<SharedCounts, 'add'> {
  readonly totals = new Map<string, number>();
  readonly added: number[] = [];
  isDown = false;

  add(additions: readonly Addition[]): Promise<(number | undefined)[]> {
    if (this.isDown) return Promise.resolve([]);
    this.added.push(additions.length);
    return Promise.resolve(
      additions.map(({ key, points }) => {
        const total = (this.totals.get(key) ?? 0) + points;
        this.totals.set(key, total);
        return total;
      }),
    );
  }

  /** A process. */
  counts(): RequestCounts & { runBatch(): Promise<boolean> } {
    const limits = { counts: () => this } as unknown as RateLimits;
    return new RequestCounts(limits) as RequestCounts & { runBatch(): Promise<boolean> };
  }
}

const keys = (count: number) => Array.from({ length: count }, (_, i) => `token:${i}`);
const countAll = (counts: RequestCounts, all: readonly string[], times: number) => {
  for (let i = 0; i < times; i++) for (const key of all) counts.count(key);
};

describe('Counts of requests', () => {
  // A window that ends during a test would begin the counts anew.
  let now: number;
  beforeEach(() => {
    now = 5_000;
    jest.spyOn(Date, 'now').mockImplementation(() => now);
  });
  afterEach(() => jest.restoreAllMocks());

  it('are those of all processes, and added together', async () => {
    const shared = new Shared();
    const [one, other] = [shared.counts(), shared.counts()];
    countAll(one, keys(450), 30);
    countAll(other, keys(450), 25);
    await one.runBatch();
    await other.runBatch();
    expect(shared.added).toEqual([450, 450]);
    expect(keys(450).map((key) => other.count(key))).toEqual(Array(450).fill(56));
    await other.runBatch();
    countAll(one, ['token:7'], 1);
    await one.runBatch();
    expect(one.count('token:7')).toBe(58);
    expect(one.count('token:8')).toBe(31);
  });

  it('of few requests, and those that have not changed, are not added', async () => {
    const shared = new Shared();
    const counts = shared.counts();
    countAll(counts, keys(3), 20);
    await counts.runBatch();
    expect(shared.added).toEqual([0]);
    countAll(counts, ['token:1'], 1);
    await counts.runBatch();
    await counts.runBatch();
    expect(shared.added).toEqual([0, 1, 0]);
    expect([...shared.totals.values()]).toEqual([21]);
  });

  it('are added later if they could not be shared', async () => {
    const shared = new Shared();
    const counts = shared.counts();
    countAll(counts, keys(1), 30);
    shared.isDown = true;
    await counts.runBatch();
    expect(counts.count('token:0')).toBe(31);
    shared.isDown = false;
    await counts.runBatch();
    expect([...shared.totals.values()]).toEqual([31]);
    expect(counts.count('token:0')).toBe(32);
  });

  it('begin anew in each window', async () => {
    const shared = new Shared();
    const counts = shared.counts();
    countAll(counts, keys(1), 30);
    now = 15_000;
    expect(counts.count('token:0')).toBe(1);
    await counts.runBatch();
    expect(shared.added).toEqual([0]);
  });
});
