import pg from 'pg';
import { databaseForWorker } from './setup/databases.js';
it('has a database', async () => {
  const url = await databaseForWorker();
  const again = await databaseForWorker();
  expect(again).toBe(url);
  const c = new pg.Client(url); await c.connect();
  const t = await c.query("select tablename from pg_tables where schemaname='public'");
  const s = await c.query("show fsync");
  console.log(url, process.env.TEST_REDIS_URL, process.env.TEST_REDIS_KIND, t.rows.map(r=>r.tablename), s.rows, process.env.JEST_WORKER_ID);
  await c.end();
});
