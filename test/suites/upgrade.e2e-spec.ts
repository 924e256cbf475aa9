import { DataSource } from 'typeorm';
import { Config } from '../../src/config/config.js';
import { entities } from '../../src/families.js';
import { prepareDatabase } from '../../src/first-start.js';
import { migrations } from '../../src/migrations/index.js';
import { createDataSource, dataSourceOptions } from '../../src/platform/database/data-source.js';
import { inBatches, withSnapshot } from '../../src/platform/database/migrate.js';
import { SECRETS_KEY } from '../setup/platform-process.js';
import { freshDatabase, type FreshDatabase } from '../setup/fresh-database.js';
import { waitUntil } from '../setup/until.js';

/** Enough rows for a step to exceed the statement time-out, which is short here. */
const ROWS = process.env.FULL ? 1_000_000 : 20_000;
const STATEMENT_TIMEOUT_MS = process.env.FULL ? 1_000 : 20;

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase({ migrated: false });
});
afterAll(() => database.drop());

/** Fills a database as of the first migration with many users, organizations and applications. */
async function fillFirst(): Promise<void> {
  const options = createDataSource({ url: database.url }).options;
  const first = await new DataSource({ ...options, migrations: migrations.slice(0, 1) }).initialize();
  try {
    await first.runMigrations();
    const runner = first.createQueryRunner();
    await runner.query('SET statement_timeout = 0');
    await runner.query(
      `INSERT INTO instances (id, name, creation_date, last_updated) VALUES ('i', 'Fieldwright', now(), now())`,
    );
    await runner.query(
      `INSERT INTO users (id, creation_date, last_updated, email, email_verified, sso_linked)
       SELECT 'u' || n, now(), now(), n || '@example.com', true, false FROM generate_series(1, $1) n`,
      [ROWS],
    );
    await runner.query(
      `INSERT INTO applications (id, creation_date, last_updated, name, owner_id, owner_type)
       SELECT 'a' || n, now(), now(), 'a', 'u' || n, 'user' FROM generate_series(1, $1) n`,
      [ROWS],
    );
    await runner.release();
  } finally {
    await first.destroy();
  }
}

describe('A database of the first version', () => {
  it('is migrated to the current version despite slow steps, with progress reports', async () => {
    await fillFirst();
    const lines: string[] = [];
    const options = dataSourceOptions({
      url: database.url,
      entities,
      poolSize: 2,
      report: (line) => lines.push(line),
    });
    const extra = { ...(options.extra as object), statement_timeout: STATEMENT_TIMEOUT_MS };
    const dataSource = await new DataSource({ ...options, extra }).initialize();
    try {
      const { wasCreated } = await prepareDatabase(dataSource, Config.from({ SECRETS_KEY }));
      expect(wasCreated).toBe(false);
      expect(await dataSource.showMigrations()).toBe(false);
      const steps = migrations.length - 1;
      expect(lines).toContain(`Migration ${steps} of ${steps}: ${migrations.at(-1)!.name}`);
      const [counted] = await dataSource.query<{ n: string }[]>(
        `SELECT counts->>'userCount' AS n FROM kept_counts WHERE holder_id = 'i'`,
      );
      expect(Number(counted!.n)).toBe(ROWS);
      // Later users of the connections get the usual statement time-out.
      const shown = await dataSource.query<{ statement_timeout: string }[]>('SHOW statement_timeout');
      expect(shown[0]!.statement_timeout).toMatch(/^(20ms|1s)$/);
    } finally {
      await dataSource.destroy();
    }
  }, 600_000);
});

describe('A migration in batches', () => {
  it('changes all rows once', async () => {
    const lines: string[] = [];
    const dataSource = await createDataSource({
      url: database.url,
      report: (line) => lines.push(line),
    }).initialize();
    const runner = dataSource.createQueryRunner();
    try {
      await runner.query(
        'CREATE TABLE changed AS SELECT n::text AS id, 0 AS times FROM generate_series(1, 250) n',
      );
      await inBatches(
        runner,
        'changed',
        (which) => `UPDATE changed r SET times = times + 1 WHERE ${which}`,
        100,
      );
      expect(await runner.query('SELECT count(*)::int AS n FROM changed WHERE times = 1')).toEqual([
        { n: 250 },
      ]);
      expect(lines).toEqual(['changed: 100 rows', 'changed: 200 rows', 'changed: 250 rows']);
    } finally {
      await runner.release();
      await dataSource.destroy();
    }
  });
});

describe('A migration that counts rows while they change', () => {
  it('counts each row once and does not block writers', async () => {
    const dataSource = await createDataSource({ url: database.url, poolSize: 4 }).initialize();
    const [runner, writer] = [dataSource.createQueryRunner(), dataSource.createQueryRunner()];
    try {
      await runner.query('CREATE TABLE counted (n integer); CREATE TABLE counts (n integer)');
      await runner.query('INSERT INTO counted SELECT generate_series(1, 10)');
      await writer.startTransaction();
      await writer.query('INSERT INTO counted VALUES (11)');
      const migrated = withSnapshot(
        runner,
        'Counted',
        async () => {
          await runner.query(`CREATE OR REPLACE FUNCTION note_row() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN INSERT INTO counts VALUES (1); RETURN NULL; END $$`);
          await runner.query(
            'CREATE TRIGGER note_row AFTER INSERT ON counted FOR EACH ROW EXECUTE FUNCTION note_row()',
          );
        },
        async (snapshot) => {
          await writer.query('INSERT INTO counted VALUES (12)');
          await snapshot.query('INSERT INTO counts SELECT count(*) FROM counted');
        },
      );
      // The trigger waits for the open transaction, whose row it does not note.
      const waiting = `SELECT count(*)::int AS n FROM pg_stat_activity
        WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`;
      await waitUntil(async () => (await dataSource.query<{ n: number }[]>(waiting))[0]!.n > 0);
      await writer.commitTransaction();
      await migrated;
      expect(await runner.query('SELECT sum(n)::int AS n FROM counts')).toEqual([{ n: 12 }]);
    } finally {
      await writer.release();
      await runner.release();
      await dataSource.destroy();
    }
  });
});
