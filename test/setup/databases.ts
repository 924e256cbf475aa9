import pg from 'pg';

/** The migrated, empty database from which the workers' databases are copied. */
export const TEMPLATE = 'template_fieldwright';

/** Returns the URL of this Jest worker's database, created from the template for its first test file. */
export async function databaseForWorker(): Promise<string> {
  const url = process.env.TEST_POSTGRES_URL;
  if (!url) throw new Error('TEST_POSTGRES_URL is not set: only the Jest project e2e has databases.');
  const name = `test_${process.env.JEST_WORKER_ID ?? '1'}`;
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (!rowCount) await client.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
  } finally {
    await client.end();
  }
  const database = new URL(url);
  database.pathname = name;
  return database.href;
}
