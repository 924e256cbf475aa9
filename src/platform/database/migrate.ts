import { setTimeout as delay } from 'node:timers/promises';
import { AbstractLogger, MigrationExecutor, type LogLevel, type LogMessage, type QueryRunner } from 'typeorm';
import { errorCode } from './error-code.js';

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
 * Disables the timeouts of statements: a step may take as long as the number of rows requires, and so may another process
 * that runs it.
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

/** Maximum wait of a migration for a lock, because every later statement on the table waits behind it. */
const LOCK_WAIT_MS = 1_000;
const LOCK_RETRY_MS = 2_000;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Migrates the database to the current schema, each migration in a transaction of its own, reported if there may be rows.
 * A transaction that does not get a lock in time is rolled back and retried, so that it blocks no request for long. A
 * migration with `transaction = false` consists of steps that commit on their own; each must be repeatable, because the
 * migration starts over after a failure.
 */
export async function migrate(runner: QueryRunner): Promise<void> {
  const executor = new MigrationExecutor(runner.dataSource, runner);
  const pending = await executor.getPendingMigrations();
  if (pending.length === 0) return;
  const isNew = (await executor.getExecutedMigrations()).length === 0;
  for (const [done, migration] of pending.entries()) {
    const title = `Migration ${done + 1} of ${pending.length}: ${migration.name}`;
    if (!isNew) report(runner, title);
    if (migration.instance?.transaction === false) await executor.executeMigration(migration);
    else await inTransaction(runner, title, async () => void (await executor.executeMigration(migration)));
  }
}

/** Runs a short change of the schema in a transaction, and repeats it until it gets its locks in time. */
export async function inTransaction(
  runner: QueryRunner,
  title: string,
  work: () => Promise<void>,
): Promise<void> {
  for (;;) {
    await runner.startTransaction();
    try {
      await runner.query(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
      await work();
      return await runner.commitTransaction();
    } catch (error) {
      // The failure may also have ended the connection.
      await runner.rollbackTransaction().catch(() => undefined);
      if (errorCode(error) !== LOCK_NOT_AVAILABLE) throw error;
      report(runner, `${title} waits for a lock that others hold`);
      await delay(LOCK_RETRY_MS);
    }
  }
}

/**
 * Makes short changes that lock tables against writes, such as triggers that note changes, and then runs `read` in a
 * transaction that sees the tables as they were at that moment. What triggers note and what `read` finds are together all
 * rows, although the tables are writable again while they are read.
 */
export async function withSnapshot(
  runner: QueryRunner,
  title: string,
  change: () => Promise<void>,
  read: (snapshot: QueryRunner) => Promise<void>,
): Promise<void> {
  const snapshot = runner.dataSource.createQueryRunner();
  try {
    await withoutTimeouts(snapshot, async () => {
      await inTransaction(runner, title, async () => {
        if (snapshot.isTransactionActive) await snapshot.rollbackTransaction();
        await change();
        await snapshot.startTransaction('REPEATABLE READ');
        // The first statement takes the snapshot, while the changes hold their locks.
        await snapshot.query('SELECT 1');
      });
      await read(snapshot);
      if (snapshot.isTransactionActive) await snapshot.commitTransaction();
    });
  } finally {
    if (snapshot.isTransactionActive) await snapshot.rollbackTransaction().catch(() => undefined);
    await snapshot.release();
  }
}

/**
 * Makes a column of a large table `NOT NULL`, outside a transaction. A constraint is validated first while the table stays
 * writable, so that PostgreSQL need not read the rows under a lock.
 */
export async function addNotNull(
  runner: QueryRunner,
  title: string,
  table: string,
  column: string,
): Promise<void> {
  const constraint = `${table}_${column}_present`;
  const alter = (change: string) => runner.query(`ALTER TABLE ${table} ${change}`);
  await inTransaction(runner, title, async () => {
    await alter(`DROP CONSTRAINT IF EXISTS ${constraint}`);
    await alter(`ADD CONSTRAINT ${constraint} CHECK (${column} IS NOT NULL) NOT VALID`);
  });
  await alter(`VALIDATE CONSTRAINT ${constraint}`);
  await inTransaction(runner, title, async () => {
    // Together, PostgreSQL would drop the constraint first, and read all rows.
    await alter(`ALTER COLUMN ${column} SET NOT NULL`);
    await alter(`DROP CONSTRAINT ${constraint}`);
  });
}

/**
 * Builds an index of a large table while it stays writable, outside a transaction. Drops an index of the same name first,
 * because an attempt that was interrupted leaves one that is invalid.
 */
export async function replaceIndex(
  runner: QueryRunner,
  name: string,
  definition: string,
  kind: 'INDEX' | 'UNIQUE INDEX' = 'INDEX',
): Promise<void> {
  await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  await runner.query(`CREATE ${kind} CONCURRENTLY ${name} ON ${definition}`);
}

/** Number of rows that one statement changes: a few seconds of work at most. */
const BATCH = 20_000;

/**
 * Changes all rows of a table in batches, in the order of their IDs in the column `key`, and reports the progress.
 * `change` builds the statement from the condition that selects the rows `r`.
 */
export async function inBatches(
  runner: QueryRunner,
  table: string,
  change: (which: string) => string,
  batch = BATCH,
  key = 'id',
): Promise<void> {
  let [last, done] = ['', 0];
  for (;;) {
    const [next] = (await runner.query(
      `SELECT max(b.key) AS last, count(*)::int AS rows
       FROM (SELECT ${key} AS key FROM ${table} WHERE ${key} > $1 ORDER BY ${key} LIMIT $2) b`,
      [last, batch],
    )) as { last: string | null; rows: number }[];
    if (!next || next.last === null) return;
    await runner.query(change(`r.${key} > $1 AND r.${key} <= $2`), [last, next.last]);
    [last, done] = [next.last, done + next.rows];
    report(runner, `${table}: ${done} rows`);
  }
}

function report({ dataSource }: QueryRunner, line: string): void {
  dataSource.logger.logMigration(line);
}
