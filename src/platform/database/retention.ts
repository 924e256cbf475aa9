import type { Database } from './database.js';
import { Repeated } from './repeated.js';
import { prepared } from './statements.js';

const INTERVAL_MS = 10 * 60_000;
const BATCH = 1_000;

/** Rows to remove, and when. */
export interface Aging {
  tables: readonly string[];
  /** Indexed column whose order is that of age. */
  column: string;
  /** SQL for the limit: rows whose `column` is less have expired. */
  oldest: string;
  /** SQL condition for the rows that expire, if not all rows of the tables do. */
  where?: string;
}

/**
 * Removes expired rows in batches, so that no statement takes long or locks many rows. All workers do this
 * concurrently: each takes rows that no other worker is removing.
 */
export abstract class Retention extends Repeated {
  protected constructor(
    private readonly database: Database,
    private readonly aging: Aging,
  ) {
    super(INTERVAL_MS, `Old rows of ${aging.tables.join(', ')} were not removed`);
  }

  /** Removes expired rows from every table. */
  async removeOld(): Promise<void> {
    for (const table of this.aging.tables) {
      while (!this.stopped && (await this.removeSome(table)) === BATCH);
    }
  }

  private async removeSome(table: string): Promise<number> {
    const { column, oldest, where = 'true' } = this.aging;
    const old = `SELECT ctid FROM ${table} WHERE ${where} AND ${column} < ${oldest} ORDER BY ${column} LIMIT $1 FOR UPDATE SKIP LOCKED`;
    const text = `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(${old})) RETURNING 1`;
    return (await this.database.run(prepared(text, [BATCH]))).length;
  }

  protected override async batch(): Promise<boolean> {
    await this.removeOld();
    return false;
  }
}
