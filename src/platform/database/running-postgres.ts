import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { NAME } from './embedded-postgres.js';

/** Line of `postmaster.pid` that contains the port. */
const PORT_LINE = 3;

/**
 * Returns the URL of the embedded PostgreSQL that currently runs on `dataDir`, for programs that run next to the
 * platform, or `undefined` if none responds. The server must know the password too, so that another server on a former
 * port is not mistaken for it.
 */
export async function runningEmbeddedPostgres(dataDir: string): Promise<string | undefined> {
  const home = join(resolve(dataDir), 'postgres');
  const [pidFile, password] = await Promise.all([
    textOf(join(home, 'data', 'postmaster.pid')),
    textOf(join(home, 'password')),
  ]);
  const port = Number(pidFile?.split('\n')[PORT_LINE]);
  if (!port || !password) return undefined;
  const url = `postgresql://${NAME}:${password}@127.0.0.1:${port}/${NAME}`;
  return (await answers(url)) ? url : undefined;
}

async function textOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}
