import { Unavailable } from '../errors/errors.js';

/**
 * Makes a function that runs work `concurrency` at a time and lets `waiting` more queue up, first come first served.
 * Work beyond that is refused at once with `Unavailable`.
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
      // Whoever ends hands its place over, so that nobody slips in between.
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
