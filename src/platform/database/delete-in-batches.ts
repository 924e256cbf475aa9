import type { Runner } from './database.js';
import { prepared } from './statements.js';

/** So many rows go in well under a second, whatever hangs on them. */
const BATCH = 1_000;

/**
 * Deletes the rows of a table of which `condition` holds, each batch by a statement of its own, so that none takes long or
 * locks much. Table and condition are trusted SQL with an index behind it; the condition's parameters are `values`. What
 * is deleted stays so when it is broken off; asked again, it goes on.
 */
export async function deleteInBatches(
  runner: Runner,
  table: string,
  condition: string,
  values: readonly unknown[],
  signal?: AbortSignal,
): Promise<void> {
  const batch = `SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${BATCH} FOR UPDATE`;
  const statement = prepared(
    `WITH deleted AS (DELETE FROM ${table} WHERE ctid = ANY (ARRAY(${batch})) RETURNING 1)
     SELECT count(*) AS n FROM deleted`,
    values,
  );
  for (let n = BATCH; n > 0;) {
    signal?.throwIfAborted();
    n = (await runner.rows<{ n: number }>(statement))[0]!.n;
  }
}
