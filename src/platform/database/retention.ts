import type { Database } from './database.js';
import { PeriodicTask } from './periodic-task.js';
import { prepared } from './statements.js';

const INTERVAL_MS = 10 * 60_000;
const BATCH = 1_000;

/** Rows to remove, and when. */
export interface RetentionRule {
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
export abstract class Retention extends PeriodicTask {
  protected constructor(
    private readonly database: Database,
    private readonly rule: RetentionRule,
  ) {
    super(INTERVAL_MS, `Old rows of ${rule.tables.join(', ')} were not removed`);
  }

  /** Removes expired rows from every table. */
  async removeOld(): Promise<void> {
    for (const table of this.rule.tables) {
      while (!this.stopped && (await this.removeBatch(table)) === BATCH);
    }
  }

  private async removeBatch(table: string): Promise<number> {
    const { column, oldest, where = 'true' } = this.rule;
    const old = `SELECT ctid FROM ${table} WHERE ${where} AND ${column} < ${oldest} ORDER BY ${column} LIMIT $1 FOR UPDATE SKIP LOCKED`;
    const text = `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(${old})) RETURNING 1`;
    return (await this.database.run(prepared(text, [BATCH]))).length;
  }

  protected override async runBatch(): Promise<boolean> {
    await this.removeOld();
    return false;
  }
}
