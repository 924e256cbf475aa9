import { LiveCache } from './live-cache.js';

function cacheOf() {
  const changes = { isConnected: true };
  const cache = new LiveCache<{ n: number }>(changes, { max: 10, applicationOf: ({ n }) => `app ${n % 2}` });
  let reads = 0;
  const read = async () => ({ n: ++reads });
  return { changes, cache, read };
}

describe('LiveCache', () => {
  it('reads a key once, also for concurrent requests', async () => {
    const { cache, read } = cacheOf();
    expect(await Promise.all([cache.get('a', read), cache.get('a', read)])).toEqual([{ n: 1 }, { n: 1 }]);
    expect(cache.get('a', read)).toEqual({ n: 1 });
    expect(await cache.get('b', read)).toEqual({ n: 2 });
  });

  it('caches that a value is missing', async () => {
    const { cache, read } = cacheOf();
    await cache.get('a', () => Promise.resolve(undefined));
    expect(cache.get('a', read)).toBeUndefined();
  });

  it('reads again after an eviction', async () => {
    const { cache, read } = cacheOf();
    await cache.get('a', read);
    await cache.get('b', read);
    cache.evict('a');
    expect(await cache.get('a', read)).toEqual({ n: 3 });
    cache.evictIf((value) => value.n === 2);
    expect(await cache.get('b', read)).toEqual({ n: 4 });
    expect(cache.get('a', read)).toEqual({ n: 3 });
    cache.clear();
    expect(await cache.get('a', read)).toEqual({ n: 5 });
  });

  it('evicts the values of an application, and that others are missing', async () => {
    const { cache, read } = cacheOf();
    // More than are kept: 3 to 12 remain.
    for (let n = 1; n <= 12; n++) await cache.get(`key ${n}`, read);
    await cache.get('none', () => Promise.resolve(undefined));
    cache.evictOf('app 0');
    expect(await cache.get('none', read)).toEqual({ n: 13 });
    expect(cache.get('key 5', read)).toEqual({ n: 5 });
    expect(await cache.get('key 6', read)).toEqual({ n: 14 });
    expect(cache.get('key 11', read)).toEqual({ n: 11 });
    cache.evictOf('app 0');
    expect(cache.get('none', read)).toEqual({ n: 13 });
    expect(await cache.get('key 6', read)).toEqual({ n: 15 });
    cache.clear();
    expect((cache as unknown as { keys: ReadonlyMap<unknown, unknown> }).keys.size).toBe(0);
  });

  it('keeps values, however many keys without one are read', async () => {
    const { cache, read } = cacheOf();
    await cache.get('a', read);
    for (let n = 0; n < 20; n++) await cache.get(`none ${n}`, () => Promise.resolve(undefined));
    expect(cache.get('a', read)).toEqual({ n: 1 });
  });

  it('neither caches nor shares a read that overlaps an eviction', async () => {
    const { cache, read } = cacheOf();
    let finish!: (value: { n: number }) => void;
    const old = cache.get('a', () => new Promise((resolve) => (finish = resolve)));
    cache.evict('other');
    expect(await cache.get('a', read)).toEqual({ n: 1 });
    finish({ n: 0 });
    expect(await old).toEqual({ n: 0 });
    expect(cache.get('a', read)).toEqual({ n: 1 });
  });

  it('caches nothing while changes are not received', async () => {
    const { changes, cache, read } = cacheOf();
    changes.isConnected = false;
    await cache.get('a', read);
    expect(await cache.get('a', read)).toEqual({ n: 2 });
    changes.isConnected = true;
    expect(await cache.get('a', read)).toEqual({ n: 3 });
  });

  it('reads again after a failure', async () => {
    const { cache, read } = cacheOf();
    await expect(cache.get('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await cache.get('a', read)).toEqual({ n: 1 });
  });
});
