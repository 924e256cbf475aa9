import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { TEMPLATE } from './databases.js';

export interface FreshDatabase {
  url: string;
  drop(): Promise<void>;
}

/** Creates a separate database for a test, either migrated or empty. */
export async function freshDatabase({ migrated }: { migrated: boolean }): Promise<FreshDatabase> {
  const name = `fresh_${randomBytes(6).toString('hex')}`;
  await run(`CREATE DATABASE ${name} TEMPLATE ${migrated ? TEMPLATE : 'template0'}`);
  const url = new URL(process.env.TEST_POSTGRES_URL!);
  url.pathname = name;
  return { url: url.href, drop: () => drop(name) };
}

/**
 * Drops a database without `WITH (FORCE)`, which fails while autovacuum, a process of the superuser, is connected.
 * Without it, PostgreSQL cancels autovacuum and waits for closing connections.
 */
async function drop(name: string): Promise<void> {
  await run(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = '${name}' AND usename = current_user`,
  );
  await run(`DROP DATABASE ${name}`);
}

async function run(sql: string): Promise<void> {
  const client = new pg.Client(process.env.TEST_POSTGRES_URL);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
