import { PendingCounts } from './pending-counts.js';

const counts = (max?: number) =>
  new PendingCounts<{ name: string; n: number }>((known, more) => {
    known.n += more.n;
  }, max);

describe('Counts in memory', () => {
  it('are stored once, in batches', async () => {
    const pending = counts();
    for (const name of ['a', 'b', 'a', 'c']) pending.add([name], { name, n: 1 });
    const stored: string[][] = [];
    const store = async (batch: { name: string; n: number }[]) =>
      void stored.push(batch.map(({ name, n }) => `${name}${n}`));
    await pending.store(2, store);
    await pending.store(2, store);
    expect(stored).toEqual([['a2', 'b1'], ['c1']]);
  });

  it('are added to later ones if they could not be stored', async () => {
    const pending = counts();
    for (const name of ['a', 'b', 'c']) pending.add([name], { name, n: 1 });
    const stored: string[] = [];
    const failing = pending.store(1, async ([count]) => {
      if (count!.name === 'b') throw new Error('lost');
      stored.push(`${count!.name}${count!.n}`);
    });
    pending.add(['b'], { name: 'b', n: 5 });
    await expect(failing).rejects.toThrow('lost');
    await pending.store(10, async (batch) => void stored.push(...batch.map(({ name, n }) => `${name}${n}`)));
    expect(stored).toEqual(['a1', 'b6', 'c1']);
  });

  it('are different if any part of their keys is', async () => {
    const pending = counts();
    const keys = [
      ['a', 1],
      ['a', 2],
      ['b', 1],
      ['a', '1'],
      ['b', 1],
    ];
    for (const key of keys) pending.add(key, { name: key.join(), n: 1 });
    await pending.store(10, async (batch) =>
      expect(batch.map(({ name, n }) => `${name} ${n}`)).toEqual(['a,1 1', 'a,2 1', 'b,1 2', 'a,1 1']),
    );
    expect.assertions(1);
  });

  it('are limited in number', async () => {
    const pending = counts(1);
    for (const name of ['a', 'b', 'a']) pending.add([name], { name, n: 1 });
    await pending.store(10, async (batch) => expect(batch).toEqual([{ name: 'a', n: 2 }]));
    expect.assertions(1);
  });
});
