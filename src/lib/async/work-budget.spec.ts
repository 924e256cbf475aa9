import { TooManyRequests, Unavailable } from '../errors/errors.js';
import { WorkBudget } from './work-budget.js';

/** Returns work that ends on command. */
function controlled() {
  const started: number[] = [];
  const ends: ((failure?: Error) => void)[] = [];
  const work = (id: number) => () =>
    new Promise<number>((resolve, reject) => {
      started.push(id);
      ends[id] = (failure) => (failure ? reject(failure) : resolve(id));
    });
  return { started, ends, work };
}

const budget = (concurrency: number, waiting: number, waitingPerOwner = waiting) => {
  const work = new WorkBudget({ concurrency, waiting, waitingPerOwner });
  return <T>(task: () => Promise<T>, owner = 'one'): Promise<T> => work.run(owner, task);
};

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('WorkBudget', () => {
  it('runs the permitted number of tasks concurrently, and the rest in order', async () => {
    const { started, ends, work } = controlled();
    const run = budget(2, 2);
    const results = [0, 1, 2, 3].map((id) => run(work(id)));
    expect(started).toEqual([0, 1]);
    ends[1]!();
    await settle();
    expect(started).toEqual([0, 1, 2]);
    ends[0]!();
    ends[2]!();
    await settle();
    ends[3]!();
    await expect(Promise.all(results)).resolves.toEqual([0, 1, 2, 3]);
  });

  it('rejects tasks beyond the queue, and accepts tasks again afterwards', async () => {
    const { started, ends, work } = controlled();
    const run = budget(1, 1, 2);
    const results = [run(work(0)), run(work(1))];
    await expect(run(work(2))).rejects.toBeInstanceOf(Unavailable);
    ends[0]!();
    await settle();
    ends[1]!();
    await Promise.all(results);
    const again = run(work(3));
    ends[3]!();
    await expect(again).resolves.toBe(3);
    expect(started).toEqual([0, 1, 3]);
  });

  it('frees the slot of a task that fails', async () => {
    const { ends, work } = controlled();
    const run = budget(1, 1, 2);
    const [failing, waiting] = [run(work(0)), run(work(1))];
    const failure = new Error('broken');
    ends[0]!(failure);
    await expect(failing).rejects.toBe(failure);
    ends[1]!();
    await expect(waiting).resolves.toBe(1);
  });

  it('lets waiting owners take turns, and rejects more tasks of an owner than may wait', async () => {
    const { started, ends, work } = controlled();
    const run = budget(1, 10, 3);
    const results = [run(work(0), 'a'), run(work(1), 'a'), run(work(2), 'a'), run(work(3), 'a')];
    await expect(run(work(9), 'a')).rejects.toBeInstanceOf(TooManyRequests);
    results.push(run(work(4), 'b'), run(work(5), 'c'), run(work(6), 'b'));
    for (const next of [0, 1, 4, 5, 2, 6, 3]) {
      expect(started.at(-1)).toBe(next);
      ends[next]!();
      await settle();
    }
    await Promise.all(results);
    expect(started).toEqual([0, 1, 4, 5, 2, 6, 3]);
  });
});
