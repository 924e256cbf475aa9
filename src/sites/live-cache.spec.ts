import { LiveCache } from './live-cache.js';

function cacheOf() {
  const changes = { isConnected: true };
  const cache = new LiveCache<{ n: number }>(changes, 10);
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
    cache.evictIf((value) => value?.n === 2);
    expect(await cache.get('b', read)).toEqual({ n: 4 });
    expect(cache.get('a', read)).toEqual({ n: 3 });
    cache.clear();
    expect(await cache.get('a', read)).toEqual({ n: 5 });
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
