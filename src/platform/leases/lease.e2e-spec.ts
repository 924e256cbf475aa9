import type { DataSource } from 'typeorm';
import { databaseForWorker } from '../../../test/setup/databases.js';
import { waitUntil } from '../../../test/setup/until.js';
import { createDataSource } from '../database/data-source.js';
import { Database } from '../database/database.js';
import { prepared } from '../database/statements.js';
import { Lease } from './lease.js';

interface Claim {
  id: number;
  attempts: number;
}

const lasting = (ms: number) =>
  new Lease<Claim>({
    table: 'leased',
    key: ['id'],
    working: 'result IS NULL',
    ms,
    holder: ({ id, attempts }) => [id, attempts],
  });
/** Outlasts every test. */
const LEASE = lasting(3_600_000);
/** Expires during a test. */
const SHORT_MS = 100;
const SHORT = lasting(SHORT_MS);
const FINISH = `UPDATE leased SET result = $3 WHERE ${LEASE.heldSql} RETURNING 1`;

describe('A lease', () => {
  let dataSource: DataSource;
  let database: Database;
  beforeAll(async () => {
    dataSource = await createDataSource({ url: await databaseForWorker(), poolSize: 4 }).initialize();
    database = new Database(dataSource);
    await dataSource.query(
      'CREATE TABLE leased (id integer PRIMARY KEY, due_at timestamptz NOT NULL, attempts integer NOT NULL, result text)',
    );
  });
  afterAll(async () => {
    await dataSource.query('DROP TABLE leased');
    await dataSource.destroy();
  });
  beforeEach(() =>
    dataSource.query(
      `DELETE FROM leased; INSERT INTO leased VALUES (1, now(), 0), (2, now() + interval '1 hour', 0)`,
    ),
  );

  const claim = async (id = 1, { claimSql, dueSql } = LEASE): Promise<Claim | undefined> => {
    const take = `UPDATE leased SET ${claimSql} WHERE id = $1 AND result IS NULL AND ${dueSql} RETURNING id, attempts`;
    return (await database.rows<Claim>(prepared(take, [id])))[0];
  };
  const finish = (held: Claim, result: string) => LEASE.write(database, FINISH, held, [result]);
  const results = async () =>
    (await database.run({ text: 'SELECT result FROM leased ORDER BY id', values: [] })).map(
      ([result]) => result,
    );

  const dueAt = async (): Promise<number> => {
    const [row] = await dataSource.query('SELECT due_at FROM leased WHERE id = 1');
    return row.due_at.getTime();
  };

  it('is given to one of several concurrent workers, and for rows that are due', async () => {
    const claims = await Promise.all([claim(), claim(), claim(), claim()]);
    expect(claims.filter(Boolean)).toEqual([{ id: 1, attempts: 1 }]);
    expect(await claim(2)).toBeUndefined();
  });

  it('passes to another worker when it expires, and fences off the first', async () => {
    const first = (await claim(1, SHORT))!;
    let second!: Claim;
    await waitUntil(async () => !!(second = (await claim())!));
    expect(second.attempts).toBe(2);
    expect(await finish(first, 'first')).toBe(false);
    expect(await results()).toEqual([null, null]);
    expect(await finish(second, 'second')).toBe(true);
    expect(await finish(second, 'again')).toBe(false);
    expect(await results()).toEqual(['second', null]);
    expect(await claim()).toBeUndefined();
  });

  it('still holds after it has expired while nobody else has claimed the row', async () => {
    const only = (await claim())!;
    await dataSource.query(`UPDATE leased SET due_at = now() - interval '1 ms'`);
    expect(await finish(only, 'late')).toBe(true);
  });

  it('is extended while it is held', async () => {
    const held = (await claim(1, SHORT))!;
    const firstEnd = await dueAt();
    let isLost = false;
    await SHORT.hold(
      () => SHORT.extend(database, held),
      // An end this late is set by a heartbeat after the first end.
      () => waitUntil(async () => (await dueAt()) > firstEnd + SHORT_MS),
      () => (isLost = true),
    );
    expect(isLost).toBe(false);
    expect(await finish(held, 'done')).toBe(true);
  });

  it('tells its holder that it is lost, and does not extend the lease of the next one', async () => {
    const first = (await claim())!;
    await dataSource.query(`UPDATE leased SET due_at = now() - interval '1 ms'`);
    const second = (await claim())!;
    const end = await dueAt();
    let losses = 0;
    await SHORT.hold(
      () => SHORT.extend(database, first),
      () => waitUntil(async () => losses > 1),
      () => losses++,
    );
    expect(await dueAt()).toBe(end);
    expect(await finish(second, 'second')).toBe(true);
  });

  it('writes in the transaction of the work', async () => {
    const held = (await claim())!;
    const write = database.transaction(async (transaction) => {
      expect(await LEASE.write(transaction, FINISH, held, ['undone'])).toBe(true);
      throw new Error('broken');
    });
    await expect(write).rejects.toThrow('broken');
    expect(await results()).toEqual([null, null]);
  });
});
