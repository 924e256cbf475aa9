import { retry } from '../../lib/async/retry.js';
import { isCut, isOutage } from '../responses/database-errors.js';

/** Longer than PostgreSQL takes to start again after a crash. */
const ATTEMPTS = { max: 10, pauseMs: 500, isTransient: isOutage };

/**
 * Returns what a failed statement has stored, if its connection was lost after it was committed: what `find` returns, which
 * waits some seconds for PostgreSQL. Throws the error if `find` returns `undefined`, or if the statement failed otherwise.
 */
export async function foundAfterCut<T>(error: unknown, find: () => Promise<T | undefined>): Promise<T> {
  const found = isCut(error) ? await retry(find, ATTEMPTS) : undefined;
  if (found === undefined) throw error;
  return found;
}
