import { AbstractLogger, MigrationExecutor, type LogLevel, type LogMessage, type QueryRunner } from 'typeorm';

/** Tells an operator how far migrations are, and nothing else. */
export class MigrationLog extends AbstractLogger {
  constructor(private readonly tell: (line: string) => void) {
    super();
  }

  protected writeLog(
    _level: LogLevel,
    messages: LogMessage | string | number | (LogMessage | string | number)[],
  ): void {
    for (const message of [messages].flat())
      if (typeof message === 'object' && message.type === 'migration') this.tell(String(message.message));
  }
}

/** Has no time-out: what a step does may take as long as there are rows, and so may another process that works on it. */
const WITHOUT_END = `SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0`;
const AS_BEFORE = 'RESET statement_timeout; RESET lock_timeout; RESET idle_in_transaction_session_timeout';

/** Does work on a connection that waits as long as it takes. */
export async function withoutTimeouts<T>(runner: QueryRunner, work: () => Promise<T>): Promise<T> {
  await runner.query(WITHOUT_END);
  try {
    return await work();
  } finally {
    // Unless it died: then there is nothing to be put back.
    await runner.query(AS_BEFORE).catch(() => undefined);
  }
}

/** Brings the database to the present schema: all steps on this connection, in one transaction, each told of where there may be rows. */
export async function migrate(runner: QueryRunner): Promise<void> {
  const executor = new MigrationExecutor(runner.dataSource, runner);
  const pending = await executor.getPendingMigrations();
  if (pending.length === 0) return;
  const isNew = (await executor.getExecutedMigrations()).length === 0;
  await runner.startTransaction();
  try {
    for (const [done, migration] of pending.entries()) {
      if (!isNew)
        tell(runner, `Step ${done + 1} of ${pending.length} to the present schema: ${migration.name}`);
      await executor.executeMigration(migration);
    }
    await runner.commitTransaction();
  } catch (error) {
    // What went wrong may have ended the connection too.
    await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  }
}

/** How many rows one statement changes: a few seconds of work at most. */
const BATCH = 20_000;

/**
 * Changes all rows of a table, a batch at a time in the order of their ids, and tells how far it is. `change` makes the
 * statement from the condition that says which rows `r` are meant.
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
    tell(runner, `${table}: ${done} rows`);
  }
}

function tell({ dataSource }: QueryRunner, line: string): void {
  dataSource.logger.logMigration(line);
}
