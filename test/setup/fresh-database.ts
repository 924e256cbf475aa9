import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { TEMPLATE } from './databases.js';

export interface FreshDatabase {
  url: string;
  drop(): Promise<void>;
}

/** A database of a test's own: migrated, or without anything in it. */
export async function freshDatabase({ migrated }: { migrated: boolean }): Promise<FreshDatabase> {
  const name = `fresh_${randomBytes(6).toString('hex')}`;
  await run(`CREATE DATABASE ${name} TEMPLATE ${migrated ? TEMPLATE : 'template0'}`);
  const url = new URL(process.env.TEST_POSTGRES_URL!);
  url.pathname = name;
  return { url: url.href, drop: () => drop(name) };
}

/**
 * Does not use `WITH (FORCE)`, which fails while autovacuum, a superuser's process, is in the database. Without it,
 * PostgreSQL ends autovacuum and waits for closing connections.
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
