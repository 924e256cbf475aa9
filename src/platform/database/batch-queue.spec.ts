import { BatchQueue } from './batch-queue.js';

const coded = (code: string) => Object.assign(new Error('of the database'), { code });

/** Creates batches of numbers, and records the processed batches in order. */
function batches(work: (batch: readonly number[]) => Promise<void> = () => Promise.resolve()) {
  const done: number[][] = [];
  const made = new BatchQueue<number>({
    concurrency: 1,
    maxBatchSize: 4,
    maxQueued: 8,
    sizeOf: () => 1,
    full: 'Too many',
    work: async (batch) => {
      done.push([...batch]);
      await work(batch);
    },
  });
  const outcomes = (items: readonly number[]) =>
    Promise.all(
      items.map((item) =>
        made.add(item).then(
          () => 'done',
          (error: Error & { status?: number }) => error.status ?? error.message,
        ),
      ),
    );
  return { done, outcomes, made };
}

describe('Batches', () => {
  it('process concurrent items together, up to the maximum size', async () => {
    const { done, outcomes } = batches();
    expect(await outcomes([1, 2, 3, 4, 5, 6])).toEqual(Array.from({ length: 6 }, () => 'done'));
    expect(done).toEqual([
      [1, 2, 3, 4],
      [5, 6],
    ]);
  });

  it('reject only the item that causes a failure', async () => {
    const { done, outcomes } = batches((batch) =>
      batch.includes(3) ? Promise.reject(new Error('3')) : Promise.resolve(),
    );
    expect(await outcomes([1, 2, 3, 4])).toEqual(['done', 'done', '3', 'done']);
    expect(done).toEqual([[1, 2, 3, 4], [1, 2], [3, 4], [3], [4]]);
  });

  it('reject all items if the database is unavailable', async () => {
    const { done, outcomes } = batches(() => Promise.reject(coded('ECONNRESET')));
    expect(await outcomes([1, 2])).toEqual(['of the database', 'of the database']);
    expect(done).toEqual([[1, 2]]);
  });

  it('retry work that was rolled back because of a conflict', async () => {
    let left = 2;
    const { done, outcomes } = batches(() =>
      left-- > 0 ? Promise.reject(coded('40P01')) : Promise.resolve(),
    );
    expect(await outcomes([1, 2])).toEqual(['done', 'done']);
    expect(done).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
  });

  it('reject items if the queue is full', async () => {
    const { outcomes } = batches();
    const all = await outcomes(Array.from({ length: 20 }, (_, n) => n));
    // One batch is in progress, and 8 items are queued.
    expect(all.filter((outcome) => outcome === 'done')).toHaveLength(12);
    expect(all.filter((outcome) => outcome === 503)).toHaveLength(8);
  });

  it('process all queued items before they end', async () => {
    const { done, outcomes, made } = batches();
    const outcome = outcomes([1, 2, 3, 4, 5]);
    await made.end();
    expect(done.flat()).toEqual([1, 2, 3, 4, 5]);
    expect(await outcome).toEqual(Array.from({ length: 5 }, () => 'done'));
    await made.end();
  });
});
