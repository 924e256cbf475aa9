import { Unavailable } from '../errors/errors.js';
import { createLimiter } from './limiter.js';

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

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('createLimiter', () => {
  it('runs the permitted number of tasks concurrently, and the rest in order', async () => {
    const { started, ends, work } = controlled();
    const limit = createLimiter(2, 2);
    const results = [0, 1, 2, 3].map((id) => limit(work(id)));
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
    const limit = createLimiter(1, 1);
    const results = [limit(work(0)), limit(work(1))];
    await expect(limit(work(2))).rejects.toBeInstanceOf(Unavailable);
    ends[0]!();
    await settle();
    ends[1]!();
    await Promise.all(results);
    const again = limit(work(3));
    ends[3]!();
    await expect(again).resolves.toBe(3);
    expect(started).toEqual([0, 1, 3]);
  });

  it('frees the slot of a task that fails', async () => {
    const { ends, work } = controlled();
    const limit = createLimiter(1, 1);
    const [failing, waiting] = [limit(work(0)), limit(work(1))];
    const failure = new Error('broken');
    ends[0]!(failure);
    await expect(failing).rejects.toBe(failure);
    ends[1]!();
    await expect(waiting).resolves.toBe(1);
  });
});
