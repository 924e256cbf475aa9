import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { prepared } from '../database/statements.js';
import { HOLDINGS, type Holding } from './holding.js';

const INITIAL_BATCH = 500;
const MIN_BATCH = 10;
const MAX_BATCH = 10_000;
/**
 * Milliseconds after which a statement counts as slow, which makes the next batch smaller; far below all lock timeouts.
 */
const TARGET_BATCH_MS = 250;

/** Rows of a table that belong to an owner. */
export interface OwnedRows {
  table: string;
  /** Column that identifies the owner. */
  column: string;
  /** Maximum number of rows that one statement removes, if more than time limits it. */
  maxRemovalBatch?: number;
}

/**
 * Removes the data of a deleted application, organization or user in batches, so that no statement takes long or locks
 * many rows. A restarted removal continues with the remaining rows. The row itself is deleted last, so that the removal
 * can be restarted while anything is left.
 */
@Injectable()
export class Removal {
  constructor(
    private readonly database: Database,
    @Inject(HOLDINGS) private readonly holdings: readonly Holding[],
  ) {}

  /** Removes a deleted application with all its resources. Does nothing if the application was not deleted. */
  async application(id: string, signal: AbortSignal): Promise<void> {
    const deleted = 'SELECT 1 FROM applications WHERE id = $1 AND deleted_at IS NOT NULL';
    if ((await this.database.run(prepared(deleted, [id]))).length === 0) return;
    for (const { table, maxRemovalBatch } of this.holdings)
      await this.rows({ table, column: 'application_id', maxRemovalBatch }, id, signal);
    await this.rows({ table: 'api_tokens', column: 'owner_id' }, id, signal);
    await this.rows({ table: 'applications', column: 'id' }, id, signal);
  }

  /** Removes all applications of a deleted owner. */
  async applicationsOf(ownerId: string, signal: AbortSignal): Promise<void> {
    const next = `UPDATE applications SET deleted_at = coalesce(deleted_at, now())
      WHERE id = (SELECT id FROM applications WHERE owner_id = $1 LIMIT 1) RETURNING id`;
    for (;;) {
      const [row] = await this.database.run(prepared(next, [ownerId]));
      if (!row) return;
      await this.application(row[0]!, signal);
    }
  }

  /** Removes the rows of a table whose `column` equals `value`. */
  async rows(
    { table, column, maxRemovalBatch = MAX_BATCH }: OwnedRows,
    value: string,
    signal: AbortSignal,
  ): Promise<void> {
    // Repeats the condition, because rows of other partitions can have the same ctid and belong to others.
    const some = `DELETE FROM ${table} WHERE ${column} = $1 AND ctid = ANY (ARRAY(
      SELECT ctid FROM ${table} WHERE ${column} = $1 LIMIT $2)) RETURNING 1`;
    for (let batch = Math.min(INITIAL_BATCH, maxRemovalBatch); ;) {
      signal.throwIfAborted();
      const begin = performance.now();
      const removed = await this.database.run(prepared(some, [value, batch]));
      if (removed.length === 0) return;
      const quick = performance.now() - begin < TARGET_BATCH_MS;
      batch = quick ? Math.min(batch * 2, maxRemovalBatch) : Math.max(Math.floor(batch / 4), MIN_BATCH);
    }
  }
}
