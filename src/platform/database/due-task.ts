import type { Database, Transaction } from './database.js';
import { PeriodicTask } from './periodic-task.js';
import { prepared } from './statements.js';

/** Longest pause between looks for due rows. It delays a new row that is due earlier. */
const INTERVAL_MS = 1_000;

/**
 * A task for the rows of a table with an indexed column `due_at`. Runs in every worker, which sleeps until the next row is
 * due; each row is processed by one of them.
 */
export abstract class DueTask extends PeriodicTask {
  private readonly next: string;

  protected constructor(
    private readonly database: Database,
    table: string,
    failureMessage: string,
  ) {
    super(INTERVAL_MS, failureMessage);
    this.next = `SELECT due_at FROM ${table} WHERE due_at <= $1 ORDER BY due_at LIMIT 1`;
  }

  /** Processes rows that are due. Returns whether there were any that no other transaction has locked. */
  protected abstract processDue(now: Date, transaction: Transaction): Promise<boolean>;

  protected override async runBatch(): Promise<boolean | Date> {
    const now = new Date();
    const until = new Date(now.getTime() + INTERVAL_MS);
    const [next] = await this.database.rows<{ dueAt: Date }>(prepared(this.next, [until]));
    if (!next) return false;
    if (next.dueAt > now) return next.dueAt;
    return (
      (await this.database.transaction((transaction) => this.processDue(now, transaction))) || next.dueAt
    );
  }
}
