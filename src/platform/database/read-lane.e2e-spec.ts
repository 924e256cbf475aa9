import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { databaseForWorker } from '../../../test/setup/databases.js';
import { Proxy } from '../../../test/setup/proxy.js';
import { statementsOf } from '../../../test/suites/statements.js';
import { waitUntil } from '../../../test/setup/until.js';
import { createDataSource } from './data-source.js';
import { Database } from './database.js';
import { ReadLane } from './read-lane.js';
import { prepared, shaped } from './statements.js';

const LOCK = 4711;

describe('The read lane', () => {
  let dataSource: DataSource;
  let proxy: Proxy;
  let lane: ReadLane;
  let database: Database;

  // Suppresses the warnings about each lost connection.
  beforeAll(() => Logger.overrideLogger(['error']));

  beforeEach(async () => {
    const url = await databaseForWorker();
    dataSource = await createDataSource({ url }).initialize();
    proxy = await Proxy.before(url);
    lane = new ReadLane(proxy.url);
    database = new Database(dataSource, lane);
    await up();
  });
  afterEach(async () => {
    await lane.onApplicationShutdown();
    await dataSource.destroy();
    await proxy.refuse();
  });

  const number = (n: number) => prepared('SELECT $1::int', [n]);
  const pid = { text: 'SELECT pg_backend_pid()', values: [] };
  const numbers = Array.from({ length: 500 }, (_, n) => n);
  const readAll = () => Promise.all(numbers.map((n) => database.read(number(n))));
  const all = numbers.map((n) => [[String(n)]]);

  /** Waits until both connections accept statements. */
  const up = () =>
    waitUntil(async () => {
      const [one, two] = [lane.send(pid), lane.send(pid)];
      const pids = await Promise.all([one, two]).catch(() => []);
      return pids[0] !== undefined && pids[1] !== undefined && pids[0][0]![0] !== pids[1][0]![0];
    });

  it('returns the rows of each read, with many concurrent reads', async () => {
    expect(await readAll()).toEqual(all);
    const texts = numbers.map((n) => shaped(`SELECT ${n}, $1::text`, ['a']));
    const rows = await Promise.all(texts.map((statement) => database.read(statement)));
    expect(rows).toEqual(numbers.map((n) => [[String(n), 'a']]));
  });

  it('leaves reads to the pool before it is connected, and after it is closed', async () => {
    const other = new ReadLane(proxy.url);
    expect(other.send(pid)).toBeUndefined();
    await other.onApplicationShutdown();
    expect(other.send(pid)).toBeUndefined();
    expect(await new Database(dataSource, other).read(number(1))).toEqual([['1']]);
    expect(await new Database(dataSource).read(number(1))).toEqual([['1']]);
  });

  it('writes nothing', async () => {
    const write = { text: 'CREATE TABLE never (id text)', values: [] };
    const statements = await statementsOf(() =>
      expect(database.read(write)).rejects.toMatchObject({ code: '25006' }),
    );
    expect(statements).toHaveLength(1);
  });

  it('reports the error of a statement once, and answers the surrounding statements', async () => {
    const divide = prepared('SELECT 1 / $1::int', [0]);
    const statements = await statementsOf(async () => {
      const [before, refused, after] = await Promise.allSettled([
        database.read(number(1)),
        database.read(divide),
        database.read(number(2)),
      ]);
      expect(before).toMatchObject({ value: [['1']] });
      expect(refused).toMatchObject({ reason: { code: '22012' } });
      expect(after).toMatchObject({ value: [['2']] });
    });
    expect(statements).toHaveLength(3);
    await expect(database.read(prepared('SELECT nothing', []))).rejects.toMatchObject({ code: '42703' });
    expect(await readAll()).toEqual(all);
  });

  it('recovers if its connections are terminated under load, and every read is answered correctly', async () => {
    const kill = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'fieldwright-reads'`;
    for (let round = 0; round < 5; round++) {
      const killed = dataSource.query<unknown[]>(kill);
      const answers = [await readAll(), await readAll()];
      expect((await killed).length).toBeGreaterThan(0);
      expect(answers).toEqual([all, all]);
      await up();
    }
  });

  it('is not blocked by slow reads: these end on the pool, and later reads are answered first', async () => {
    const holder = dataSource.createQueryRunner();
    await holder.query(`SELECT pg_advisory_lock(${LOCK})`);
    const slow = prepared('SELECT pg_advisory_xact_lock_shared($1)', [LOCK]);
    let waits = true;
    const waiting = [slow, slow].map((statement) => database.read(statement));
    const done = Promise.all(waiting).finally(() => (waits = false));
    expect(await readAll()).toEqual(all);
    expect(await readAll()).toEqual(all);
    expect(waits).toBe(true);
    await holder.query(`SELECT pg_advisory_unlock(${LOCK})`);
    expect(await done).toHaveLength(2);
    await holder.release();
    await up();
  });

  it('recovers from silent connections, and the pool answers its reads', async () => {
    proxy.stall();
    expect(await readAll()).toEqual(all);
    expect(await readAll()).toEqual(all);
    await proxy.restore();
    await up();
    expect(await readAll()).toEqual(all);
  });

  it('recovers from refused connections, and the pool answers its reads', async () => {
    await proxy.refuse();
    expect(await readAll()).toEqual(all);
    await proxy.restore();
    await up();
  });

  it('continues after a table of a prepared statement has changed', async () => {
    await dataSource.query('CREATE TABLE changing (id text, size integer)');
    try {
      const text = 'SELECT t.* FROM changing t';
      await Promise.all(numbers.slice(0, 9).map(() => database.read(prepared(text, []))));
      await dataSource.query(`ALTER TABLE changing ADD more text DEFAULT 'a'`);
      await dataSource.query(`INSERT INTO changing VALUES ('b', 1)`);
      for (let i = 0; i < 9; i++) expect(await database.read(prepared(text, []))).toEqual([['b', '1', 'a']]);
    } finally {
      await dataSource.query('DROP TABLE changing');
    }
  });
});
