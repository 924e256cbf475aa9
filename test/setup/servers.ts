import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres.js';
import { startInProcessRedis, startPrivateRedis } from '../../src/platform/jobs/private-redis.js';
import { TEMPLATE } from './databases.js';

const PREFIX = 'fieldwright-test-';

/** Tests lose nothing that matters in a power cut. */
const QUICK = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

const log = { debug: () => undefined, warn: console.warn, error: console.error };

/** Starts the servers of a test run and leaves the function that ends them in `globalThis.stopTestServers`. */
export async function startServers(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  const started: { stop(): Promise<void> }[] = [];
  const removeFolder = (): void => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  const interrupted = (): void => process.exit(130);
  process.once('exit', removeFolder).once('SIGINT', interrupted).once('SIGTERM', interrupted);
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((server) => server.stop()));
    removeFolder();
    process.off('exit', removeFolder).off('SIGINT', interrupted).off('SIGTERM', interrupted);
  };
  try {
    const redis = await (process.env.TEST_REDIS === 'in-process'
      ? startInProcessRedis()
      : startPrivateRedis({ dataDir, log }));
    started.push(redis);
    const postgres = await startEmbeddedPostgres({ dataDir, log, settings: QUICK });
    started.push(postgres);
    await makeTemplate(postgres.url);
    process.env.TEST_POSTGRES_URL = postgres.url;
    process.env.TEST_REDIS_URL = redis.url;
    process.env.TEST_REDIS_KIND = redis.kind;
  } catch (error) {
    await stop();
    throw error;
  }
  Object.assign(globalThis, { stopTestServers: stop });
}

async function makeTemplate(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`CREATE DATABASE ${TEMPLATE}`);
  await client.end();
  const template = new URL(url);
  template.pathname = TEMPLATE;
  const dataSource = await createDataSource({ url: template.href }).initialize();
  await dataSource.runMigrations();
  await dataSource.destroy();
}
