import { setTimeout as sleep } from 'node:timers/promises';

interface Attempts {
  /** Maximum number of attempts. */
  readonly max: number;
  /** Milliseconds between them. */
  readonly pauseMs: number;
  /** Whether another attempt may succeed after an error. */
  readonly isTransient: (error: unknown) => boolean;
}

/** Repeats `work`, which receives the number of the attempt, while it fails for a transient reason. Rejects with the last error. */
export async function retry<T>(
  work: (attempt: number) => Promise<T>,
  { max, pauseMs, isTransient }: Attempts,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (attempt === max || !isTransient(error)) throw error;
    }
    await sleep(pauseMs);
  }
}
