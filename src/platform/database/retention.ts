import type { Database } from './database.js';
import { Repeated } from './repeated.js';
import { prepared } from './statements.js';

const INTERVAL_MS = 10 * 60_000;
const BATCH = 1_000;

/** Which rows are removed when. */
export interface Aging {
  tables: readonly string[];
  /** The column whose order is that of age, with an index to find what is old. */
  column: string;
  /** SQL: the rows whose `column` is less are too old. */
  oldest: string;
  /** SQL: the rows that age so, where not all of the tables do. */
  where?: string;
}

/**
 * Removes what is too old, a batch at a time, so that no statement takes long or locks much. All workers do this at once:
 * each takes rows that no other one is removing.
 */
export abstract class Retention extends Repeated {
  protected constructor(
    private readonly database: Database,
    private readonly aging: Aging,
  ) {
    super(INTERVAL_MS, `Old rows of ${aging.tables.join(', ')} were not removed`);
  }

  /** Removes what is too old from every table. */
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
