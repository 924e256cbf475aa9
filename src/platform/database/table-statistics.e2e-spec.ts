import { suite } from '../../../test/setup/suite.js';
import { waitUntil } from '../../../test/setup/until.js';
import { Database } from './database.js';
import { TableStatistics } from './table-statistics.js';

// Only the task under test analyzes tables.
const { test } = suite({ PROCESS_ROLE: 'api' }, { database: 'own' });
let statistics: TableStatistics;

const query = (text: string, values: unknown[] = []) => test.dataSource.query(text, values);

/** A vacuum counts rows, too. */
const NO_AUTOVACUUM =
  'autovacuum_analyze_threshold = 1000000000, autovacuum_vacuum_threshold = 1000000000, autovacuum_vacuum_insert_threshold = -1';

/** Inserts rows and waits until PostgreSQL has counted them. */
async function fill(table: string, rows: number): Promise<void> {
  const [{ n }] = await query(`SELECT count(*)::int AS n FROM ${table}`);
  await query(`INSERT INTO ${table} SELECT n FROM generate_series(1, ${rows}) n`);
  await waitUntil(async () => {
    const [live] = await query('SELECT n_live_tup::int AS n FROM pg_stat_user_tables WHERE relname = $1', [
      table,
    ]);
    return live.n >= n + rows;
  });
}

beforeEach(async () => {
  statistics = new TableStatistics(test.app.get(Database));
  await query('DROP TABLE IF EXISTS filled, small');
  for (const name of ['filled', 'small'])
    await query(`CREATE TABLE ${name} (n integer) WITH (${NO_AUTOVACUUM})`);
});

describe('Table statistics', () => {
  it('are renewed when a table was never analyzed or has more than doubled, but not after changes', async () => {
    await fill('filled', 2_000);
    await fill('small', 500);
    expect(await statistics.analyzeGrown()).toEqual(['public.filled']);
    expect(await query(`SELECT FROM pg_stats WHERE tablename = 'filled'`)).toHaveLength(1);
    expect(await statistics.analyzeGrown()).toEqual([]);
    await query('UPDATE filled SET n = n + 1');
    await fill('filled', 1_000);
    expect(await statistics.analyzeGrown()).toEqual([]);
    await fill('filled', 2_000);
    expect(await statistics.analyzeGrown()).toEqual(['public.filled']);
  });

  it('are left to another process that is analyzing the table, without waiting', async () => {
    await fill('filled', 2_000);
    const other = test.dataSource.createQueryRunner();
    await other.startTransaction();
    await other.query('LOCK TABLE filled IN SHARE UPDATE EXCLUSIVE MODE');
    await statistics.analyzeGrown();
    expect(await query(`SELECT FROM pg_stats WHERE tablename = 'filled'`)).toEqual([]);
    await other.rollbackTransaction();
    await other.release();
    await statistics.analyzeGrown();
    expect(await query(`SELECT FROM pg_stats WHERE tablename = 'filled'`)).toHaveLength(1);
  });

  it('are left to autovacuum if a table cannot be analyzed', async () => {
    await query('CREATE FUNCTION broken(integer) RETURNS integer IMMUTABLE LANGUAGE sql AS $$ SELECT $1 $$');
    await query('CREATE INDEX ON filled (broken(n))');
    await fill('filled', 2_000);
    await query(
      `CREATE OR REPLACE FUNCTION broken(integer) RETURNS integer IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken'; END $$`,
    );
    expect(await statistics.analyzeGrown()).toEqual(['public.filled']);
    expect(await statistics.analyzeGrown()).toEqual([]);
    await query('DROP TABLE filled');
    await query('DROP FUNCTION broken');
  });
});
