import pg from 'pg';
import { onConnect } from './data-source.js';
import { TextQuery, type Statement } from './query.js';
import type { Row } from './row-shape.js';
import { onClient } from './run-statement.js';

/** Maximum time for PostgreSQL to find all rows, which is its only work during that time. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000;
/** Additional time after which the connection counts as dead. */
const RESPONSE_GRACE_MS = 2_000;
/** Idle time after which the reader of a snapshot counts as dead. */
const IDLE_TIMEOUT_MS = 10 * 60_000;
const FIRST_ROWS = 50;
const MAX_ROWS = 1_000;
/** Approximate number of characters in memory at a time, estimated from the length of the previous rows. */
const MAX_CHARACTERS = 1024 * 1024;

/**
 * Yields the rows of a statement in batches, all from one snapshot. PostgreSQL finds them once and materializes them,
 * so the reader may take hours without locking a table or occupying a connection of the pool.
 */
export async function* cursorRows(connection: pg.ClientConfig, statement: Statement): AsyncGenerator<Row[]> {
  const snapshot = await Snapshot.open(connection);
  try {
    const rows = await snapshot.materialize(statement);
    await snapshot.release();
    yield* rows;
  } finally {
    await snapshot.close();
  }
}

/**
 * A snapshot of the database, on its own connection. Until `release`, the columns of tables that were read cannot be
 * changed, and space of removed rows is not reclaimed.
 */
export class Snapshot {
  private cursors = 0;

  private constructor(private readonly client: pg.Client) {}

  static async open(connection: pg.ClientConfig): Promise<Snapshot> {
    const client = new pg.Client({
      ...connection,
      application_name: 'fieldwright-cursors',
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: STATEMENT_TIMEOUT_MS + RESPONSE_GRACE_MS,
      idle_in_transaction_session_timeout: IDLE_TIMEOUT_MS,
    });
    onConnect(client);
    await client.connect();
    const snapshot = new Snapshot(client);
    await snapshot.run('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return snapshot;
  }

  /** Yields the rows of a statement in batches; they must be read before `release`. */
  async *rows({ text, values }: Statement): AsyncGenerator<Row[]> {
    const name = this.nextName();
    await this.run(`DECLARE ${name} NO SCROLL CURSOR FOR ${text}`, values);
    yield* this.fetchAll(name);
  }

  /** Like `rows`, but for reading after `release`: finds all rows and materializes them. */
  async materialize({ text, values }: Statement): Promise<AsyncGenerator<Row[]>> {
    const name = this.nextName();
    await this.run(`DECLARE ${name} NO SCROLL CURSOR WITH HOLD FOR ${text}`, values);
    return this.fetchAll(name);
  }

  /** Ends the snapshot. Afterwards only the result of `materialize` can be read. */
  async release(): Promise<void> {
    await this.run('COMMIT');
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  private async *fetchAll(name: string): AsyncGenerator<Row[]> {
    for (let max = FIRST_ROWS; ;) {
      const rows = await this.run(`FETCH ${max} FROM ${name}`);
      if (rows.length === 0) break;
      yield rows;
      const each = rows.reduce((sum, row) => sum + lengthOf(row), 0) / rows.length;
      max = Math.max(1, Math.min(MAX_ROWS, 2 * max, Math.floor(MAX_CHARACTERS / (each + 1))));
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
