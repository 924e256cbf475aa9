import pg from 'pg';
import { onConnect } from './data-source.js';
import { TextQuery, type Statement } from './query.js';
import type { Row } from './row-shape.js';
import { onClient } from './run-statement.js';

/** How long PostgreSQL may take to find all rows, which is all that it does as long as that takes. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000;
/** Past that it is the connection that is dead. */
const SILENCE_MS = 2_000;
const FIRST_ROWS = 50;
const MOST_ROWS = 1_000;
/** Characters in memory at a time, as far as the rows before tell how long the next ones are. */
const BUDGET = 1024 * 1024;

/**
 * The rows of a statement, some at a time, all from one snapshot. PostgreSQL finds them once and keeps them aside, so that
 * whoever reads them may take hours: meanwhile no table is locked, and no connection of others is taken.
 */
export async function* cursorRows(
  connection: pg.ClientConfig,
  { text, values }: Statement,
): AsyncGenerator<Row[]> {
  const client = new pg.Client({
    ...connection,
    application_name: 'fieldwright-cursors',
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS + SILENCE_MS,
  });
  onConnect(client);
  const run = (sql: string, parameters: readonly unknown[] = []) =>
    onClient<Row>(client, TextQuery, { text: sql, values: parameters });
  await client.connect();
  try {
    await run('BEGIN TRANSACTION READ ONLY');
    await run(`DECLARE found NO SCROLL CURSOR WITH HOLD FOR ${text}`, values);
    await run('COMMIT');
    for (let most = FIRST_ROWS; ;) {
      const rows = await run(`FETCH ${most} FROM found`);
      if (rows.length === 0) return;
      yield rows;
      const each = rows.reduce((sum, row) => sum + lengthOf(row), 0) / rows.length;
      most = Math.max(1, Math.min(MOST_ROWS, 2 * most, Math.floor(BUDGET / (each + 1))));
    }
  } finally {
    await client.end();
  }
}

const lengthOf = (row: Row): number => row.reduce((sum, text) => sum + (text?.length ?? 0), 0);
