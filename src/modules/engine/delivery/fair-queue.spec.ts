import { FairQueue } from './fair-queue.js';

/** Takes an item, lets it use processor time, and returns it. */
function serve(queue: FairQueue<string>, used: number): string | undefined {
  const taken = queue.take();
  if (taken) queue.finish(taken, used);
  return taken?.item;
}

describe('FairQueue', () => {
  it('returns the items of an owner in their order, and nothing when it is empty', () => {
    const queue = new FairQueue<string>(4, () => 100);
    expect(queue.take()).toBeUndefined();
    for (let i = 0; i < 3_000; i++) queue.push('a', `a${i}`);
    expect(queue.size).toBe(3_000);
    for (let i = 0; i < 3_000; i++) expect(serve(queue, 1)).toBe(`a${i}`);
    expect([queue.take(), queue.size]).toEqual([undefined, 0]);
  });

  it('serves an owner within a round, however many items of another one wait', () => {
    const queue = new FairQueue<string>(4, () => 100);
    for (let i = 0; i < 20_000; i++) queue.push('noisy', 'noisy');
    for (let i = 0; i < 50; i++) serve(queue, 1);
    queue.push('quiet', 'quiet');
    let waited = 0;
    while (serve(queue, 1) !== 'quiet') waited++;
    expect(waited).toBeLessThanOrEqual(4);
  });

  it('shares the processor by time, not by the number of items', () => {
    const queue = new FairQueue<string>(4, () => 100);
    const costs: Record<string, number> = { slow: 40, fast: 1 };
    for (const owner of Object.keys(costs)) for (let i = 0; i < 5_000; i++) queue.push(owner, owner);
    const used: Record<string, number> = { slow: 0, fast: 0 };
    for (let i = 0; i < 4_000; i++) {
      const taken = queue.take()!;
      queue.finish(taken, costs[taken.item]!);
      used[taken.item]! += costs[taken.item]!;
    }
    expect(used.slow! / used.fast!).toBeGreaterThan(0.9);
    expect(used.slow! / used.fast!).toBeLessThan(1.1);
  });

  it('continues at once for the only owner, whatever it has used', () => {
    const queue = new FairQueue<string>(4, () => 100);
    for (let i = 0; i < 10; i++) queue.push('a', 'a');
    for (let i = 0; i < 10; i++) expect(serve(queue, 60_000)).toBe('a');
  });

  it('limits the open items of an owner, but not of others', () => {
    const queue = new FairQueue<string>(4, () => 2);
    for (const owner of ['a', 'a', 'a', 'b']) queue.push(owner, owner);
    const open = [queue.take()!, queue.take()!, queue.take()!];
    expect(open.map(({ item }) => item).sort()).toEqual(['a', 'a', 'b']);
    expect(['a', 'b', 'c'].map((owner) => queue.hasRoom(owner))).toEqual([false, true, true]);
    expect(queue.take()).toBeUndefined();
    queue.finish(
      open.find(({ item }) => item === 'a')!,
      1,
    );
    expect(queue.take()?.item).toBe('a');
  });

  it('names the first waiting item of each owner', () => {
    const queue = new FairQueue<string>(4, () => 100);
    for (const item of ['a1', 'a2', 'b1']) queue.push(item[0]!, item);
    expect(queue.first.sort()).toEqual(['a1', 'b1']);
  });

  it('forgets owners without items', () => {
    const queue = new FairQueue<string>(4, () => 100);
    for (let i = 0; i < 100; i++) queue.push(`owner ${i}`, 'item');
    while (serve(queue, 1) !== undefined);
    expect((queue as unknown as { turns: Map<string, unknown> }).turns.size).toBe(0);
  });
});
