import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { migrations } from '../../src/migrations/index.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { freshDatabase, type FreshDatabase } from '../setup/fresh-database.js';

/** Released migrations that read whole tables while they lock them. A new migration must not be added. */
const RELEASED: ReadonlySet<string> = new Set([
  'Identity1795264925957',
  'FlowTriggers1795310000000',
  'JobRetries1795330000000',
  'WebhookCodes1795340000000',
  'DevicesGone1795405000001',
  'DeviceTriggers1795440000000',
  'TriggerConfigs1795500000001',
  'FileBytes1795520000001',
  'FileLooks1795525000000',
  'ExperienceVersions1795556000000',
  'EndpointTriggers1795560000001',
  'ExperienceAddresses1795566000001',
  'Archives1795590000000',
  'ModuleTurns1795635000001',
]);

/** Scans that the transaction and those before it began, by table. PostgreSQL counts them for empty tables too. */
const SCANS = `SELECT relname AS name, seq_scan + coalesce(idx_scan, 0) AS scans FROM pg_stat_xact_user_tables
  WHERE schemaname = 'public'`;
/** Statements that lock a table until they have read or written all of it, even outside a transaction. */
const LOCKING =
  /CREATE (UNIQUE )?INDEX (?!CONCURRENTLY)[^;]* ON "?(\w+)|ALTER TABLE "?(\w+)"? ALTER COLUMN "?\w+"? TYPE/i;

let database: FreshDatabase;
let dataSource: DataSource;
let runner: QueryRunner;

beforeEach(async () => {
  database = await freshDatabase({ migrated: false });
  // The runner, one that is interrupted, and one that reads a snapshot.
  dataSource = await createDataSource({ url: database.url, poolSize: 3 }).initialize();
  runner = dataSource.createQueryRunner();
});
afterEach(async () => {
  await runner.release();
  await dataSource.destroy();
  await database.drop();
});

/** Runs a migration and returns its statements that read a whole existing table in a transaction, or lock it. */
async function faultsOf(migration: MigrationInterface): Promise<string[]> {
  const faults: string[] = [];
  const query = runner.query.bind(runner);
  const tables = (await query(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
  )) as { name: string }[];
  const existing = new Set(tables.map(({ name }) => name));
  const scans = async () => {
    const rows = (await query(SCANS)) as { name: string; scans: string }[];
    return new Map(rows.map(({ name, scans: n }) => [name, Number(n)]));
  };
  const isAtomic = migration.transaction !== false;
  if (isAtomic) await runner.startTransaction();
  const judged = async (text: string, ...values: never[]) => {
    const before = runner.isTransactionActive ? await scans() : undefined;
    const result: unknown = await query(text, ...values);
    const [, , indexed, altered] = LOCKING.exec(text) ?? [];
    if (existing.has(indexed ?? altered ?? '')) faults.push(`${migration.name}: ${text}`);
    else if (before)
      for (const [table, n] of await scans())
        if (existing.has(table) && n > (before.get(table) ?? 0))
          faults.push(`${migration.name} reads ${table}: ${text}`);
    return result;
  };
  runner.query = judged as QueryRunner['query'];
  try {
    await migration.up(runner);
  } finally {
    runner.query = query;
  }
  if (isAtomic) await runner.commitTransaction();
  return faults;
}

it('no migration after the released ones reads a whole table while it locks it', async () => {
  const faults: string[] = [];
  const offending = new Set<string>();
  for (const Migration of migrations) {
    const found = await faultsOf(new Migration());
    if (found.length > 0) offending.add(new Migration().name);
    if (!RELEASED.has(new Migration().name)) faults.push(...found);
  }
  expect(faults).toEqual([]);
  // A mended migration leaves the list.
  expect([...RELEASED].filter((name) => !offending.has(name))).toEqual([]);
}, 120_000);

it.each([
  ['ALTER TABLE filled ALTER COLUMN n TYPE text', /TYPE text/],
  ['ALTER TABLE filled ALTER COLUMN n SET NOT NULL', /reads filled/],
  ['CREATE INDEX filled_by_n ON filled (n)', /CREATE INDEX/],
  ['ALTER TABLE filled ADD CONSTRAINT positive CHECK (n > 0)', /reads filled/],
  ['UPDATE filled SET n = 1', /reads filled/],
  ['ALTER TABLE filled ADD COLUMN m integer', undefined],
  ['CREATE TABLE more (n integer); CREATE INDEX more_by_n ON more (n)', undefined],
])('%s is judged by what it reads', async (statement, fault) => {
  await runner.query('CREATE TABLE filled (n integer)');
  const up = async (on: QueryRunner): Promise<void> => void (await on.query(statement));
  const found = await faultsOf({ name: 'Tried1', up, down: () => Promise.resolve() });
  expect(found).toEqual(fault ? [expect.stringMatching(fault)] : []);
});

it('migrations in steps continue after they were interrupted at any statement', async () => {
  let longest = 0;
  for (const Migration of migrations) {
    const migration: MigrationInterface = new Migration();
    if (migration.name === 'FlowRunPayloads1795350000000')
      await runner.query(`INSERT INTO applications (id, creation_date, last_updated, name, owner_id, owner_type)
          VALUES ('a', now(), now(), 'a', 'u', 'user');
        INSERT INTO flow_runs (id, application_id, flow_id, requested_at, trigger)
          SELECT 'r' || n, 'a', 'f', now(), json_build_object('n', n) FROM generate_series(1, 10) n`);
    if (migration.transaction === false) {
      let statements = 1;
      while (await isInterrupted(migration, statements)) statements++;
      longest = Math.max(longest, statements);
    }
    await migration.up(runner);
  }
  expect(longest).toBeGreaterThan(5);
  const moved = `SELECT count(*)::int AS n FROM flow_runs r JOIN flow_run_payloads p ON p.id = r.payload_id
    WHERE p.trigger->>'n' = substr(r.id, 2)`;
  expect(await runner.query(moved)).toEqual([{ n: 10 }]);
}, 120_000);

/** Runs a migration until it has sent a number of statements. Returns `false` if it needs no more. */
async function isInterrupted(migration: MigrationInterface, statements: number): Promise<boolean> {
  const crashing = dataSource.createQueryRunner();
  const query = crashing.query.bind(crashing);
  let left = statements;
  const interrupted = (text: string, ...values: never[]) =>
    left-- > 0 ? query(text, ...values) : Promise.reject(new Error('interrupted'));
  crashing.query = interrupted as QueryRunner['query'];
  try {
    await migration.up(crashing);
    return false;
  } catch (error) {
    if ((error as Error).message !== 'interrupted') throw error;
    return true;
  } finally {
    await query('ROLLBACK');
    await crashing.release();
  }
}
