import { DataSource } from 'typeorm';
import { databaseForWorker } from '../../../test/setup/databases.js';
import { createDataSource } from './data-source.js';
import { Database } from './database.js';
import { Searches } from './searches.js';

const LONG = { text: 'SELECT pg_sleep(60)', values: [] };
const QUICK = { text: 'SELECT 1', values: [] };
const search = (owner: string) => ({ owner, parameter: 'query' });

describe('Searches', () => {
  let dataSource: DataSource;
  let searches: Searches;
  let database: Database;

  beforeAll(async () => {
    const url = await databaseForWorker();
    dataSource = await createDataSource({ url, poolSize: 2 }).initialize();
    searches = new Searches(url);
    database = new Database(dataSource, undefined, searches);
    await dataSource.query('CREATE TABLE searched (id integer)');
  });
  afterAll(async () => {
    await searches.onApplicationShutdown();
    await dataSource.query('DROP TABLE searched');
    await dataSource.destroy();
  });

  it('time out, are limited per owner, and do not affect others', async () => {
    const long = Array.from({ length: 40 }, () =>
      database.search(LONG, search('a')).catch((e: unknown) => e),
    );
    expect(await database.search(QUICK, search('b'))).toEqual([['1']]);
    expect(await database.run(QUICK)).toEqual([['1']]);
    const refusals = (await Promise.all(long)) as { status: number; message: string }[];
    const of = (status: number) => refusals.filter((refusal) => refusal.status === status);
    expect(of(400).length).toBeGreaterThanOrEqual(2);
    expect(of(429).length).toBeGreaterThanOrEqual(8);
    expect(of(400).length + of(429).length).toBe(40);
    expect(of(400)[0]!.message).toMatch(/^query took too long to search for/);
  }, 20_000);

  it('cannot write', async () => {
    const write = { text: 'INSERT INTO searched VALUES (1)', values: [] };
    await expect(database.search(write, search('a'))).rejects.toMatchObject({ code: '25006' });
  });

  it('have the same timeout in a transaction, and leave no setting behind', async () => {
    const work = database.searchingTransaction(search('a'), (transaction) => transaction.run(LONG));
    await expect(work).rejects.toMatchObject({ status: 400 });
    const shown = await database.searchingTransaction(search('a'), (transaction) =>
      transaction.run({ text: 'SHOW statement_timeout', values: [] }),
    );
    expect(shown).toEqual([['2500ms']]);
    expect(await database.run({ text: 'SHOW statement_timeout', values: [] })).toEqual([['10s']]);
  });

  it('do not wait for locks longer than the lock timeout', async () => {
    const holder = dataSource.createQueryRunner();
    await holder.startTransaction();
    try {
      await holder.query('LOCK TABLE searched IN ACCESS EXCLUSIVE MODE');
      const waiting = database.search({ text: 'SELECT id FROM searched', values: [] }, search('a'));
      await expect(waiting).rejects.toMatchObject({ code: '55P03' });
    } finally {
      await holder.rollbackTransaction();
      await holder.release();
    }
  });
});
