import { setTimeout as sleep } from 'node:timers/promises';

/** What `work` comes to, or `undefined` where it takes longer than that. What becomes of it later is nobody's concern. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const timer = new AbortController();
  try {
    return await Promise.race([work, sleep(ms, undefined, { signal: timer.signal })]);
  } finally {
    timer.abort();
  }
}
