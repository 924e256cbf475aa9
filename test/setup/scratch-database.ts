import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { TEMPLATE } from './databases.js';

/** A migrated, empty database for one test file alone. */
export interface ScratchDatabase {
  url: string;
  drop(): Promise<void>;
}

export async function scratchDatabase(): Promise<ScratchDatabase> {
  const server = process.env.TEST_POSTGRES_URL!;
  const name = `scratch_${randomBytes(6).toString('hex')}`;
  await query(server, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
  const url = new URL(server);
  url.pathname = name;
  return { url: url.href, drop: () => query(server, `DROP DATABASE ${name} WITH (FORCE)`) };
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
