import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres.js';
import { startInProcessRedis, startPrivateRedis } from '../../src/platform/jobs/private-redis.js';
import { isAlive, stopOrphan } from '../../src/lib/processes/server-process.js';
import { serverUser } from '../../src/lib/processes/server-user.js';
import { TEMPLATE } from './databases.js';
import { startSystemPostgres } from './system-postgres.js';

const PREFIX = 'fieldwright-test-';

/** Tests do not need to survive a power failure. */
const QUICK = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

const log = { debug: () => undefined, warn: console.warn, error: console.error };

/**
 * Starts the servers of a test run and stores the function that stops them in `globalThis.stopTestServers`. PostgreSQL is
 * the embedded one, or the one whose programs are in the folder `TEST_POSTGRES_BINARIES`.
 */
export async function startServers(): Promise<void> {
  await sweep();
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
    const binaries = process.env.TEST_POSTGRES_BINARIES;
    const postgres = await (binaries
      ? startSystemPostgres(binaries, { dataDir, log, settings: QUICK })
      : startEmbeddedPostgres({ dataDir, log, settings: QUICK }));
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

/** Stops and removes servers left by killed test runs. */
async function sweep(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const dataDir = join(tmpdir(), name);
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
    if (!pid || isAlive(Number(pid)) || (await stat(dataDir)).uid !== (process.getuid?.() ?? 0)) continue;
    for (const [server, pidFile] of [
      ['postgres', 'postmaster.pid'],
      ['redis', 'redis.pid'],
    ] as const) {
      const folder = join(dataDir, server, 'data');
      if (!existsSync(folder)) continue;
      const terminate = (orphan: number): void => void process.kill(orphan, 'SIGINT');
      const program = { name: server, command: '', folder, user: serverUser(folder, []), terminate, log };
      await stopOrphan(program, join(folder, pidFile));
    }
    await rm(dataDir, { recursive: true, force: true });
  }
}
