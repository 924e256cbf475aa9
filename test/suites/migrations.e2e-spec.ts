import type { DataSource } from 'typeorm';
import { entities } from '../../src/families.js';
import { migrations } from '../../src/migrations/index.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { freshDatabase, type FreshDatabase } from '../setup/fresh-database.js';

let database: FreshDatabase;
let dataSource: DataSource;

beforeEach(async () => {
  database = await freshDatabase({ migrated: false });
  dataSource = await createDataSource({ url: database.url, entities, poolSize: 2 }).initialize();
  await dataSource.runMigrations();
});

afterEach(async () => {
  await dataSource.destroy();
  await database.drop();
});

/** Returns the statements with which TypeORM would align the schema with the entities. */
async function drift(): Promise<string[]> {
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  return upQueries.map(({ query }) => query);
}

/** Returns a description of every table, column, index, constraint and type. */
async function schema(): Promise<string[]> {
  const parts = [
    `SELECT 'column ' || table_name || '.' || column_name || ' ' || udt_name || ' ' || is_nullable || ' ' || coalesce(column_default, '')
       FROM information_schema.columns WHERE table_schema = 'public'`,
    `SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname = 'public'`,
    `SELECT 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
       FROM pg_constraint WHERE connamespace = 'public'::regnamespace`,
    `SELECT 'enum ' || t.typname || ' ' || e.enumlabel FROM pg_enum e JOIN pg_type t ON t.oid = e.enumtypid`,
  ];
  const rows: { line: string }[] = await dataSource.query(
    `SELECT line FROM (${parts.join(' UNION ALL ')}) AS found (line) ORDER BY line`,
  );
  return rows.map(({ line }) => line).filter((line) => !/\bmigrations/.test(line));
}

describe('The migrations', () => {
  it('create the schema of the entities', async () => {
    expect(await drift()).toEqual([]);
  });

  it('are checked with a comparison that detects drift', async () => {
    await dataSource.query('ALTER TABLE applications DROP COLUMN description');
    await dataSource.query('DROP INDEX users_email');
    expect(await drift()).toEqual([
      expect.stringMatching(/ALTER TABLE "applications" ADD "description"/),
      expect.stringMatching(/CREATE UNIQUE INDEX "users_email"/),
    ]);
  });

  it('revert to an empty database and reapply with the same result', async () => {
    const before = await schema();
    expect(before.length).toBeGreaterThan(50);
    for (const _ of migrations) await dataSource.undoLastMigration();
    expect(await schema()).toEqual([]);
    expect(await dataSource.runMigrations()).toHaveLength(migrations.length);
    expect(await schema()).toEqual(before);
  });

  it('are all listed once, oldest first', () => {
    const times = migrations.map(({ name }) => Number(/\d{13}$/.exec(name)?.[0]));
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    expect(times.every((time) => time > 0)).toBe(true);
  });

  it('do nothing when run again', async () => {
    expect(await dataSource.runMigrations()).toEqual([]);
    expect(await dataSource.showMigrations()).toBe(false);
  });
});

describe('A role without the right to create extensions and schemas', () => {
  it('migrates a database in which they exist', async () => {
    const prepared = await freshDatabase({ migrated: false });
    const role = await createDataSource({ url: prepared.url, entities, poolSize: 2 }).initialize();
    try {
      await role.query('CREATE EXTENSION pg_trgm; CREATE EXTENSION btree_gin; CREATE SCHEMA data_tables');
      await role.query(
        `REVOKE CREATE ON DATABASE ${new URL(prepared.url).pathname.slice(1)} FROM CURRENT_USER`,
      );
      await role.runMigrations();
      expect((await role.driver.createSchemaBuilder().log()).upQueries).toEqual([]);
    } finally {
      await role.destroy();
      await prepared.drop();
    }
  });
});
