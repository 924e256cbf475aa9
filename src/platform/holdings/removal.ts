import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { prepared } from '../database/statements.js';
import { HOLDINGS, type Holding } from './holding.js';

const FIRST_BATCH = 500;
const LEAST_BATCH = 10;
const LARGEST_BATCH = 10_000;
/** A statement that takes longer makes the next one smaller; far below what any other waits for. */
const PATIENCE_MS = 250;

/** Rows of a table that belong to somebody. */
export interface OwnedRows {
  table: string;
  /** The column that says whose they are. */
  column: string;
  /** The most that one statement removes, where time alone is not to say. */
  removedAtOnce?: number;
}

/**
 * Removes what a deleted application, organization or user leaves behind, a batch at a time: no statement takes long or
 * locks much, however many rows there are. Begun again it goes on where it was. The row itself goes last, so as long as
 * anything is left there is something to begin again with.
 */
@Injectable()
export class Removal {
  constructor(
    private readonly database: Database,
    @Inject(HOLDINGS) private readonly holdings: readonly Holding[],
  ) {}

  /** An application that was deleted, with all that it held; one that was not deleted is left alone. */
  async application(id: string, signal: AbortSignal): Promise<void> {
    const deleted = 'SELECT 1 FROM applications WHERE id = $1 AND deleted_at IS NOT NULL';
    if ((await this.database.run(prepared(deleted, [id]))).length === 0) return;
    for (const { table, removedAtOnce } of this.holdings)
      await this.rows({ table, column: 'application_id', removedAtOnce }, id, signal);
    await this.rows({ table: 'api_tokens', column: 'owner_id' }, id, signal);
    await this.rows({ table: 'applications', column: 'id' }, id, signal);
  }

  /** All applications of an owner who is gone. */
  async applicationsOf(ownerId: string, signal: AbortSignal): Promise<void> {
    const next = `UPDATE applications SET deleted_at = coalesce(deleted_at, now())
      WHERE id = (SELECT id FROM applications WHERE owner_id = $1 LIMIT 1) RETURNING id`;
    for (;;) {
      const [row] = await this.database.run(prepared(next, [ownerId]));
      if (!row) return;
      await this.application(row[0]!, signal);
    }
  }

  /** The rows of a table whose `column` is `value`. */
  async rows(
    { table, column, removedAtOnce = LARGEST_BATCH }: OwnedRows,
    value: string,
    signal: AbortSignal,
  ): Promise<void> {
    // Partitions of a table have rows of the same ctid, which may be anybody's.
    const some = `DELETE FROM ${table} WHERE ${column} = $1 AND ctid = ANY (ARRAY(
      SELECT ctid FROM ${table} WHERE ${column} = $1 LIMIT $2)) RETURNING 1`;
    for (let batch = Math.min(FIRST_BATCH, removedAtOnce); ;) {
      signal.throwIfAborted();
      const begin = performance.now();
      const removed = await this.database.run(prepared(some, [value, batch]));
      if (removed.length === 0) return;
      const quick = performance.now() - begin < PATIENCE_MS;
      batch = quick ? Math.min(batch * 2, removedAtOnce) : Math.max(Math.floor(batch / 4), LEAST_BATCH);
    }
  }
}
