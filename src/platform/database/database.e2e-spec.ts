import { jest } from '@jest/globals';
import type { Pool, PoolClient } from 'pg';
import { DataSource, type QueryRunner } from 'typeorm';
import { makeApplication, makeUser } from '../../../test/make/make.js';
import { databaseForWorker } from '../../../test/setup/databases.js';
import { createDataSource } from './data-source.js';
import { Database } from './database.js';
import { errorCode } from './error-code.js';
import { ValidationError } from '../../lib/errors/errors.js';
import { MAX_RESPONSE_BYTES, MAX_SHAPED_STATEMENTS } from './query.js';
import { ReadLane } from './read-lane.js';
import { prepared, shaped } from './statements.js';
import { suite } from '../../../test/setup/suite.js';

const poolOf = (dataSource: DataSource): Pool => (dataSource.driver as unknown as { master: Pool }).master;

/** Returns the statements prepared on each idle connection of a pool. */
async function preparedOn(dataSource: DataSource): Promise<{ name: string; statement: string }[][]> {
  const pool = poolOf(dataSource);
  const clients: PoolClient[] = [];
  try {
    for (let left = pool.totalCount; left > 0; left--) clients.push(await pool.connect());
    return await Promise.all(
      clients.map(
        async (client) => (await client.query('SELECT name, statement FROM pg_prepared_statements')).rows,
      ),
    );
  } finally {
    for (const client of clients) client.release();
  }
}

describe('Database', () => {
  let dataSource: DataSource;
  let database: Database;
  beforeAll(async () => {
    dataSource = await createDataSource({ url: await databaseForWorker(), poolSize: 1 }).initialize();
    database = new Database(dataSource);
    await dataSource.query('CREATE TABLE counted (id integer PRIMARY KEY)');
  });
  afterAll(async () => {
    await dataSource.query('DROP TABLE counted');
    await dataSource.destroy();
  });

  const names = async () => (await preparedOn(dataSource))[0]!.map(({ statement }) => statement);
  const backend = async () => (await database.run({ text: 'SELECT pg_backend_pid()', values: [] }))[0]![0];

  it('keeps constant statements prepared, and the most recent of the shaped ones', async () => {
    const constant = prepared('SELECT $1::int', [1]);
    await database.run(constant);
    const texts = Array.from({ length: 30 * MAX_SHAPED_STATEMENTS }, (_, i) => `SELECT $1::int + ${i}`);
    for (const text of texts) expect(await database.run(shaped(text, [1]))).toHaveLength(1);
    expect(await names()).toEqual(
      expect.arrayContaining([constant.text, ...texts.slice(-MAX_SHAPED_STATEMENTS)]),
    );
    expect(await names()).toHaveLength(MAX_SHAPED_STATEMENTS + 1);
  });

  describe('a statement whose rows become one response', () => {
    const rows = (count: number, bytes: number) => ({
      text: `SELECT n, repeat('x', $2::int) FROM generate_series(1, $1::int) n`,
      values: [count, bytes],
      sizedBy: 'perPage',
    });
    const FITTING = Math.floor(MAX_RESPONSE_BYTES / 1_010_000);
    const tooLarge = new ValidationError(
      `perPage exceeds the maximum response size: at most ${FITTING} of these items fit`,
    );

    it('returns rows up to the maximum size', async () => {
      expect(await database.run(rows(FITTING, 1_010_000))).toHaveLength(FITTING);
      expect(await database.rows(rows(FITTING, 1_010_000))).toHaveLength(FITTING);
    });

    it('is rejected with the number of rows that fit, before PostgreSQL has sent all rows', async () => {
      await database.run({ text: 'CREATE SEQUENCE sent_rows', values: [] });
      const counted = `SELECT nextval('sent_rows'), repeat('x', 1010000) FROM generate_series(1, 1000)`;
      const answer = database.run({ text: counted, values: [], sizedBy: 'perPage' });
      await expect(answer).rejects.toEqual(tooLarge);
      const [sent] = await database.run({ text: 'SELECT last_value FROM sent_rows', values: [] });
      expect(Number(sent![0])).toBeLessThan(1_000);
      await database.run({ text: 'DROP SEQUENCE sent_rows', values: [] });
      await expect(database.rows(rows(FITTING + 1, 1_010_000))).rejects.toEqual(tooLarge);
      expect(await database.run(rows(1, 1))).toEqual([['1', 'x']]);
    });

    it('returns a single row of any size, but no second one', async () => {
      const [row] = await database.run(rows(1, 2 * MAX_RESPONSE_BYTES));
      expect(row![1]).toHaveLength(2 * MAX_RESPONSE_BYTES);
      await expect(database.run(rows(2, MAX_RESPONSE_BYTES))).rejects.toThrow('at most 1 of these items fit');
    });
  });

  it('prepares an evicted shaped statement again, and keeps one that is in use', async () => {
    const used = shaped('SELECT $1::int - 1', [1]);
    for (let i = 0; i < 2 * MAX_SHAPED_STATEMENTS; i++) {
      expect(await database.run(used)).toEqual([['0']]);
      expect(await database.run(shaped(`SELECT $1::int - 1 - ${i}`, [1]))).toEqual([[String(-i)]]);
    }
    expect(await names()).toContain(used.text);
    expect(await database.run(shaped('SELECT $1::int - 1 - 0', [1]))).toEqual([['0']]);
  });

  it('evicts in transactions too, including failed ones', async () => {
    const fill = async (run: (text: string) => Promise<unknown>, sign: string) => {
      for (let i = 0; i < MAX_SHAPED_STATEMENTS + 5; i++) await run(`SELECT $1::int ${sign} ${i}`);
    };
    await database.transaction((transaction) => fill((text) => transaction.run(shaped(text, [1])), '*'));
    await database
      .transaction(async (transaction) => {
        await expect(transaction.run(shaped('SELECT $1::int / 0', [1]))).rejects.toThrow('division by zero');
        await fill((text) => transaction.run(shaped(text, [1])).catch(() => undefined), '%');
        throw new Error('undone');
      })
      .catch(() => undefined);
    await fill((text) => database.run(shaped(text, [1])), '-');
    expect((await names()).length).toBeLessThanOrEqual(MAX_SHAPED_STATEMENTS + 1);
  });

  it('does not prepare statements without a name', async () => {
    await database.run({ text: 'SELECT $1::int + 4711', values: [1] });
    expect(await names()).not.toContain('SELECT $1::int + 4711');
  });

  it('keeps the connection of a rejected statement', async () => {
    const before = await backend();
    const text = 'SELECT $1::int / 0';
    for (const statement of [prepared(text, [1]), shaped(text, [1]), { text, values: [1] }])
      await expect(database.run(statement)).rejects.toMatchObject({ code: '22012' });
    await database.run(prepared('INSERT INTO counted VALUES ($1)', [1]));
    const taken = database.run(prepared('INSERT INTO counted VALUES ($1)', [1]));
    await expect(taken).rejects.toMatchObject({ code: '23505', stack: expect.stringContaining('database') });
    expect(await backend()).toBe(before);
  });

  it('prepares statements again that a table change has invalidated', async () => {
    const all = prepared('SELECT * FROM counted', []);
    await database.run(all);
    await dataSource.query('ALTER TABLE counted ADD more text');
    await database.run(all).catch(() => undefined);
    expect(await database.run(all)).toEqual([['1', null]]);
  });

  it('plans prepared statements once, and others for their values', async () => {
    const planned = `SELECT current_setting('plan_cache_mode'), $1::int`;
    const [custom, generic] = ['force_custom_plan', 'force_generic_plan'];
    const unnamed = { text: planned, values: [1] };
    expect(await database.run(unnamed)).toEqual([[custom, '1']]);
    expect(await database.rows(unnamed)).toEqual([{ currentSetting: custom, int4: 1 }]);
    expect(await database.run(shaped(planned, [1]))).toEqual([[generic, '1']]);
    await database.transaction(async (transaction) => {
      expect(await transaction.run(unnamed)).toEqual([[custom, '1']]);
      expect(await transaction.run(prepared(planned, [1]))).toEqual([[generic, '1']]);
      const plans = `SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE statement = $1`;
      expect((await transaction.run({ text: plans, values: [planned] }))[0]).toEqual(['1', '0']);
    });
  });

  it('plans prepared statements once also after another statement has failed', async () => {
    const failing = database.run({ text: 'SELECT 1 / $1::int', values: [0] });
    expect(await failing.then(() => 'done', errorCode)).toBe('22012');
    const mode = prepared(`SELECT current_setting('plan_cache_mode')`, []);
    expect(await database.run(mode)).toEqual([['force_generic_plan']]);
  });

  it('replaces a connection that has died', async () => {
    const before = await backend();
    const died = database.run({ text: 'SELECT pg_terminate_backend(pg_backend_pid())', values: [] });
    await expect(died).rejects.toThrow();
    expect(await backend()).not.toBe(before);
  });

  it.each([
    ['before', []],
    ['after', [['7']]],
  ])('reports what has taken effect when the connection is lost %s the commit', async (when, rows) => {
    const runners = Object.getPrototypeOf(dataSource.createQueryRunner()) as QueryRunner;
    const { commitTransaction } = runners;
    jest.spyOn(runners, 'commitTransaction').mockImplementationOnce(async function (this: QueryRunner) {
      if (when === 'after') await commitTransaction.call(this);
      await this.query('SELECT pg_terminate_backend(pg_backend_pid())');
    });
    const stored = database.transactionOnce(async (transaction) => {
      await transaction.run(prepared('INSERT INTO counted (id) VALUES ($1)', [7]));
    });
    expect(await stored.then(() => 'stored', errorCode)).toBe(rows.length > 0 ? 'stored' : '57P01');
    expect(await database.run(prepared('SELECT c.id FROM counted c WHERE c.id = $1', [7]))).toEqual(rows);
    jest.restoreAllMocks();
  });

  it('reads rows as objects', async () => {
    const text = `SELECT true AS has_version, NULL AS default_version_id, 'a' AS name, count(*), sum(n), avg(n::float8) AS mean,
        '2026-11-21T05:28:30.5Z'::timestamptz AS last_updated, '{"a_b": [1]}'::json AS some_content, ARRAY['x'] AS ids
      FROM (SELECT generate_series(1, 3)::bigint n) s WHERE n <> $1`;
    const row = {
      hasVersion: true,
      defaultVersionId: null,
      name: 'a',
      count: 2,
      sum: 4,
      mean: 2,
      lastUpdated: new Date('2026-11-21T05:28:30.500Z'),
      someContent: { a_b: [1] },
      ids: ['x'],
    };
    for (const statement of [prepared(text, [2]), shaped(text, [2]), { text, values: [2] }]) {
      expect(await database.rows(statement)).toEqual([row]);
      expect(await database.transaction((transaction) => transaction.rows(statement))).toEqual([row]);
    }
    expect(await database.rows(prepared(text, [2]))).toEqual([row]);
  });

  it('rejects a count that exceeds the range of numbers', async () => {
    const statement = { text: 'SELECT 9007199254740993::bigint AS count', values: [] };
    await expect(database.rows(statement)).rejects.toThrow('too large');
  });
});

describe('The statements that callers shape', () => {
  const SHAPED = /^shaped-/;
  const { test } = suite();

  /** Returns the names of prepared statements on each connection of the pool and of the lane. */
  async function namesOfAll(): Promise<string[][]> {
    const lane = test.app.get(ReadLane);
    const names = { text: 'SELECT name FROM pg_prepared_statements', values: [] };
    const onLane = await Promise.all([lane.send(names)!, lane.send(names)!]);
    const onPool = (await preparedOn(test.dataSource)).map((rows) => rows.map(({ name }) => name));
    return [...onPool, ...onLane.map((rows) => rows.map(([name]) => name!))];
  }

  it('use a bounded amount of the server’s memory, and evict no constant statements', async () => {
    const { token } = await makeUser(test);
    const { id } = await makeApplication(test, token);
    const read = async (path: string) => (await test.client.get(path, { token })).status;
    const constants = () =>
      Promise.all([read(`/applications/${id}/readme`), read(`/applications/${id}/keys`)]);
    for (let i = 0; i < 20; i++) expect(await constants()).toEqual([200, 200]);
    const changes = Object.entries({
      name: 'a',
      description: 'b',
      globals: [],
      endpointDefaultCors: true,
      expUserTokenCutoff: '2026-01-01T00:00:00.000Z',
      blobUrlTTL: 3600,
      ftueTracking: [],
    });
    const patch = async (body: [string, unknown][]) =>
      (await test.client.patch(`/applications/${id}`, Object.fromEntries(body), { token })).status;
    expect(await patch(changes.slice(0, 1))).toBe(200);
    const before = new Set((await namesOfAll()).flat());
    const mostShaped = async () =>
      Math.max(...(await namesOfAll()).map((names) => names.filter((name) => SHAPED.test(name)).length));
    // One pass suffices if a single connection serves all requests, as is usual for the pool without other load.
    for (let turn = 0; turn < 5 && (await mostShaped()) < MAX_SHAPED_STATEMENTS; turn++) {
      for (let choice = 1; choice < 2 ** changes.length; choice++) {
        const chosen = changes.filter((_, bit) => (choice >> bit) & 1);
        expect(await patch(chosen)).toBe(200);
        expect(await patch(chosen.reverse())).toBe(200);
      }
    }
    expect(await mostShaped()).toBe(MAX_SHAPED_STATEMENTS);
    const connections = await namesOfAll();
    // Jobs and guards have a few constant statements of their own, which may be prepared in between.
    const kept = new Set(connections.flat().filter((name) => !SHAPED.test(name) && !before.has(name)));
    expect(kept.size).toBeLessThan(20);
    expect(await constants()).toEqual([200, 200]);
  });
});
