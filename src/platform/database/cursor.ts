import pg from 'pg';
import { onConnect } from './data-source.js';
import { TextQuery, type Statement } from './query.js';
import type { Row } from './row-shape.js';
import { onClient } from './run-statement.js';

/** How long PostgreSQL may take to find all rows, which is all that it does as long as that takes. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000;
/** Past that it is the connection that is dead. */
const SILENCE_MS = 2_000;
/** Past that whoever reads rows of one moment has died. */
const IDLE_TIMEOUT_MS = 10 * 60_000;
const FIRST_ROWS = 50;
const MOST_ROWS = 1_000;
/** Characters in memory at a time, as far as the rows before tell how long the next ones are. */
const BUDGET = 1024 * 1024;

/**
 * The rows of a statement, some at a time, all from one snapshot. PostgreSQL finds them once and keeps them aside, so that
 * whoever reads them may take hours: meanwhile no table is locked, and no connection of others is taken.
 */
export async function* cursorRows(connection: pg.ClientConfig, statement: Statement): AsyncGenerator<Row[]> {
  const snapshot = await Snapshot.open(connection);
  try {
    const rows = await snapshot.keep(statement);
    await snapshot.release();
    yield* rows;
  } finally {
    await snapshot.close();
  }
}

/**
 * The database as it is at one moment, on a connection of its own. Until `release`, no table that was read can be changed in
 * its columns, and nothing that was removed since makes room.
 */
export class Snapshot {
  private cursors = 0;

  private constructor(private readonly client: pg.Client) {}

  static async open(connection: pg.ClientConfig): Promise<Snapshot> {
    const client = new pg.Client({
      ...connection,
      application_name: 'fieldwright-cursors',
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: STATEMENT_TIMEOUT_MS + SILENCE_MS,
      idle_in_transaction_session_timeout: IDLE_TIMEOUT_MS,
    });
    onConnect(client);
    await client.connect();
    const snapshot = new Snapshot(client);
    await snapshot.run('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return snapshot;
  }

  /** The rows of a statement, some at a time, to be read before `release`. */
  async *rows({ text, values }: Statement): AsyncGenerator<Row[]> {
    const name = this.nextName();
    await this.run(`DECLARE ${name} NO SCROLL CURSOR FOR ${text}`, values);
    yield* this.fetched(name);
  }

  /** The same for after `release`, which finds all of them and keeps them aside. */
  async keep({ text, values }: Statement): Promise<AsyncGenerator<Row[]>> {
    const name = this.nextName();
    await this.run(`DECLARE ${name} NO SCROLL CURSOR WITH HOLD FOR ${text}`, values);
    return this.fetched(name);
  }

  /** From now on only what was kept can be read. */
  async release(): Promise<void> {
    await this.run('COMMIT');
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  private async *fetched(name: string): AsyncGenerator<Row[]> {
    for (let most = FIRST_ROWS; ;) {
      const rows = await this.run(`FETCH ${most} FROM ${name}`);
      if (rows.length === 0) break;
      yield rows;
      const each = rows.reduce((sum, row) => sum + lengthOf(row), 0) / rows.length;
      most = Math.max(1, Math.min(MOST_ROWS, 2 * most, Math.floor(BUDGET / (each + 1))));
    }
    await this.run(`CLOSE ${name}`);
  }

  private nextName(): string {
    this.cursors += 1;
    return `found_${this.cursors}`;
  }

  private run(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return onClient<Row>(this.client, TextQuery, { text, values });
  }
}

const lengthOf = (row: Row): number => row.reduce((sum, text) => sum + (text?.length ?? 0), 0);
