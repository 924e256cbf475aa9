import { setTimeout as sleep } from 'node:timers/promises';

/** Returns the result of `work`, or `undefined` if it takes longer than `ms`. A later result is ignored. */
export async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const timer = new AbortController();
  try {
    return await Promise.race([work, sleep(ms, undefined, { signal: timer.signal })]);
  } finally {
    timer.abort();
  }
}
