import { Unavailable } from '../errors/errors.js';

/**
 * Returns a function that runs up to `concurrency` tasks at a time and queues up to `waiting` more, first come, first
 * served. Rejects any further task immediately with `Unavailable`.
 */
export function createLimiter(
  concurrency: number,
  waiting: number,
): <T>(work: () => Promise<T>) => Promise<T> {
  const queue: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < concurrency) {
      running += 1;
    } else {
      if (queue.length >= waiting) throw new Unavailable('The server is busy', 1);
      // A task that ends hands over its slot, so that no other can take it in between.
      await new Promise<void>((resolve) => queue.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
