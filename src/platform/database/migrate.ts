import { AbstractLogger, MigrationExecutor, type LogLevel, type LogMessage, type QueryRunner } from 'typeorm';

/** Reports the progress of migrations to the operator, and nothing else. */
export class MigrationLog extends AbstractLogger {
  constructor(private readonly report: (line: string) => void) {
    super();
  }

  protected writeLog(
    _level: LogLevel,
    messages: LogMessage | string | number | (LogMessage | string | number)[],
  ): void {
    for (const message of [messages].flat())
      if (typeof message === 'object' && message.type === 'migration') this.report(String(message.message));
  }
}

/**
 * Disables all timeouts: a step may take as long as the number of rows requires, and so may another process that runs
 * it.
 */
const DISABLE_TIMEOUTS = `SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0`;
const RESET_TIMEOUTS =
  'RESET statement_timeout; RESET lock_timeout; RESET idle_in_transaction_session_timeout';

/** Runs `work` on a connection without timeouts. */
export async function withoutTimeouts<T>(runner: QueryRunner, work: () => Promise<T>): Promise<T> {
  await runner.query(DISABLE_TIMEOUTS);
  try {
    return await work();
  } finally {
    // If the connection has died, there is nothing to reset.
    await runner.query(RESET_TIMEOUTS).catch(() => undefined);
  }
}

/**
 * Migrates the database to the current schema: all steps on this connection, in one transaction, each reported if there
 * may be rows.
 */
export async function migrate(runner: QueryRunner): Promise<void> {
  const executor = new MigrationExecutor(runner.dataSource, runner);
  const pending = await executor.getPendingMigrations();
  if (pending.length === 0) return;
  const isNew = (await executor.getExecutedMigrations()).length === 0;
  await runner.startTransaction();
  try {
    for (const [done, migration] of pending.entries()) {
      if (!isNew) report(runner, `Migration ${done + 1} of ${pending.length}: ${migration.name}`);
      await executor.executeMigration(migration);
    }
    await runner.commitTransaction();
  } catch (error) {
    // The failure may also have ended the connection.
    await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  }
}

/** Number of rows that one statement changes: a few seconds of work at most. */
const BATCH = 20_000;

/**
 * Changes all rows of a table in batches, in the order of their IDs, and reports the progress. `change` builds the
 * statement from the condition that selects the rows `r`.
 */
export async function inBatches(
  runner: QueryRunner,
  table: string,
  change: (which: string) => string,
  batch = BATCH,
): Promise<void> {
  let [last, done] = ['', 0];
  for (;;) {
    const [next] = (await runner.query(
      `SELECT max(b.id) AS last, count(*)::int AS rows FROM (SELECT id FROM ${table} WHERE id > $1 ORDER BY id LIMIT $2) b`,
      [last, batch],
    )) as { last: string | null; rows: number }[];
    if (!next || next.last === null) return;
    await runner.query(change('r.id > $1 AND r.id <= $2'), [last, next.last]);
    [last, done] = [next.last, done + next.rows];
    report(runner, `${table}: ${done} rows`);
  }
}

function report({ dataSource }: QueryRunner, line: string): void {
  dataSource.logger.logMigration(line);
}
