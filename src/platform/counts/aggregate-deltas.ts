import type { Database } from '../database/database.js';
import { inOneWorker } from '../database/one-worker.js';
import { prepared } from '../database/statements.js';

/** Reads include pending deltas. The longer they collect, the fewer sums are updated for the same number of them. */
export const AGGREGATION_INTERVAL_MS = 3_000;
const BATCH = 10_000;

/**
 * Returns SQL for `WITH` that removes a batch of deltas from a table, as `taken`. Rows are not locked first: only
 * `aggregateDeltas` removes them, in one worker at a time.
 */
export const takenSql = (table: string): string => `taken AS (DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${table} LIMIT ${BATCH})) RETURNING *)`;

/**
 * Executes `text`, which adds the deltas that it has `taken` to sums and returns their number as `deltas`, unless another
 * worker is doing so. Returns whether more may be pending.
 */
export async function aggregateDeltas(database: Database, lock: number, text: string): Promise<boolean> {
  const row = await inOneWorker(database, lock, async (transaction) => {
    const [aggregated] = await transaction.rows<{ deltas: number }>(prepared(text, []));
    return aggregated!;
  });
  return row?.deltas === BATCH;
}
