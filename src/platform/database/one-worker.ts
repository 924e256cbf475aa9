import type { Database, Transaction } from './database.js';
import { prepared } from './statements.js';

const TRY_LOCK = 'SELECT pg_try_advisory_xact_lock($1::int)::text';

/**
 * Runs `work` in a transaction unless another worker is doing so, and returns its result, or else `undefined`. `lock` is
 * the number of an advisory lock that all workers share; PostgreSQL identifies such locks by number.
 */
export function inOneWorker<T>(
  database: Database,
  lock: number,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T | undefined> {
  return database.transaction(async (transaction) => {
    const [row] = await transaction.run(prepared(TRY_LOCK, [lock]));
    return row![0] === 'true' ? work(transaction) : undefined;
  });
}
