import { Unavailable } from '../../lib/errors/errors.js';
import { retry } from '../../lib/async/retry.js';
import { isCut, isOutage } from '../responses/database-errors.js';

/** Longer than PostgreSQL takes to recover from a crash on a busy machine, and shorter than clients wait for a response. */
const ATTEMPTS = 40;
const PAUSE_MS = 500;

/** A statement may have been committed: its connection was lost, and PostgreSQL has not responded since. */
export class OutcomeUnknown extends Unavailable {}

/**
 * Returns what a failed statement has stored, if its connection was lost after it was committed: what `find` returns, which
 * waits up to 20 seconds for PostgreSQL. Throws the error if `find` returns `undefined`, or if the statement failed otherwise,
 * and `OutcomeUnknown` if PostgreSQL does not respond in time: then only a sender that may send twice may try again.
 */
export async function foundAfterCut<T>(
  error: unknown,
  find: () => Promise<T | undefined>,
  max = ATTEMPTS,
): Promise<T> {
  if (!isCut(error)) throw error;
  const attempts = { max, pauseMs: PAUSE_MS, isTransient: isOutage };
  const found = await retry(find, attempts).catch((failure: unknown) => {
    throw isOutage(failure) ? new OutcomeUnknown('The database does not respond, try again') : failure;
  });
  if (found === undefined) throw error;
  return found;
}
