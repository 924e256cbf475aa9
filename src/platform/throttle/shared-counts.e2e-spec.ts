import { Redis } from 'ioredis';
import { redisForWorker } from '../../../test/setup/app.js';
import { uniqueName } from '../../../test/make/make.js';
import { SharedCounts } from './shared-counts.js';

describe('Counts that all processes share', () => {
  const redis = new Redis(redisForWorker());
  afterAll(() => redis.quit());

  it('are added to in a few round trips, and expire', async () => {
    const name = uniqueName();
    const [one, other] = [new SharedCounts(redis, name, 60), new SharedCounts(redis, name, 60)];
    const additions = Array.from({ length: 450 }, (_, i) => ({ key: `k${i}`, points: i }));
    expect(await one.add(additions)).toEqual(additions.map(({ points }) => points));
    expect(await other.add([...additions].reverse())).toEqual(
      additions.map(({ points }) => 2 * points).reverse(),
    );
    expect(await one.add([])).toEqual([]);
    for (const key of ['k1', 'k449']) {
      const left = await redis.ttl(`fieldwright:${name}:${key}`);
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThanOrEqual(60);
    }
  });

  it('tell which additions have failed', async () => {
    const name = uniqueName();
    const shared = new SharedCounts(redis, name, 60);
    const additions = Array.from({ length: 450 }, (_, i) => ({ key: `k${i}`, points: 1 }));
    await redis.set(`fieldwright:${name}:k333`, 'no number');
    expect(await shared.add(additions)).toEqual(Array(200).fill(1));
  });
});
