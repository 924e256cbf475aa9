import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { Config } from '../src/config/config.js';
import { entities } from '../src/entities.js';
import { prepareDatabase } from '../src/first-start.js';
import { hashPassword } from '../src/platform/crypto/passwords.js';
import { loadTokenKey } from '../src/platform/crypto/keys.js';
import { createDataSource } from '../src/platform/database/data-source.js';
import { startEmbeddedPostgres } from '../src/platform/database/embedded-postgres.js';
import { startPrivateRedis } from '../src/platform/jobs/private-redis.js';
import { newId } from '../src/platform/resource.js';
import { TokenSigner } from '../src/platform/tokens/token-signer.js';

const OWNERS = 100;
const EACH = 100;
const PASSWORD = 'Correct-Horse-7';

export interface Owner {
  id: string;
  email: string;
  token: string;
  applications: string[];
}

export interface Field {
  platform: string;
  bare: string;
  owners: Owner[];
  password: string;
  /** A token of the owner that the platform has not seen. */
  freshToken(owner: Owner): string;
  stop(): Promise<void>;
}

/**
 * Starts servers of its own with 10,000 applications in them, and 10,000 workflows in the first: the platform, and the
 * bare server on the same database.
 */
export async function setUp(): Promise<Field> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fieldwright-bench-'));
  const log = { debug: () => undefined, warn: console.warn, error: console.error };
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log,
    settings: { shared_buffers: '512MB', max_wal_size: '8GB' },
  });
  const redis = await startPrivateRedis({ dataDir, log });
  const signer = new TokenSigner(loadTokenKey({ dataDir }));
  const owners = await seed(postgres.url, dataDir, signer);
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: postgres.url, REDIS_URL: redis.url };
  const platform = await launch('../src/main.js', { ...env, PROCESS_ROLE: 'all' }, '/health');
  const bare = await launch('./bare-server.js', env, `/applications/${owners[0]!.applications[0]}`);
  return {
    platform: platform.url,
    bare: bare.url,
    owners,
    password: PASSWORD,
    freshToken: ({ id }) => signer.sign({ sub: id, scope: ['all.User'] }, { ttl: 0 }),
    async stop() {
      for (const { child } of [platform, bare]) child.kill('SIGTERM');
      await Promise.all([redis.stop(), postgres.stop()]);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function seed(url: string, dataDir: string, signer: TokenSigner): Promise<Owner[]> {
  const dataSource = await createDataSource({ url, entities }).initialize();
  await prepareDatabase(dataSource, Config.from({ DATA_DIR: dataDir, ADMIN_PASSWORD: PASSWORD }));
  await dataSource.destroy();
  const passwordHash = await hashPassword(PASSWORD);
  const owners = Array.from({ length: OWNERS }, (_, i) => {
    const id = newId();
    const token = signer.sign({ sub: id, scope: ['all.User'] }, { ttl: 0 });
    return { id, token, email: `owner${i}@example.com`, applications: Array.from({ length: EACH }, newId) };
  });
  const client = new pg.Client(url);
  await client.connect();
  for (const owner of owners) {
    await client.query(
      `INSERT INTO users (id, creation_date, last_updated, email, email_verified, sso_linked, password_hash, instance_id)
       VALUES ($1, now(), now(), $2, true, false, $3, (SELECT id FROM instances))`,
      [owner.id, owner.email, passwordHash],
    );
    await client.query(
      `INSERT INTO applications (id, creation_date, last_updated, owner_id, owner_type, name, description, globals, blob_url_ttl, endpoint_default_cors)
       SELECT id, now(), now(), $2, 'user', 'Application ' || right(id, 6), repeat('An application of the benchmark. ', 8),
         '[{"key":"region","json":"\\"eu\\"","cloudOnly":false}]', 86400, true FROM unnest($1::text[]) id`,
      [owner.applications, owner.id],
    );
  }
  await client.query(
    `INSERT INTO flows (id, creation_date, last_updated, application_id, name, flow_class, enabled, triggers, nodes, globals)
     SELECT substr(md5(n::text), 1, 24), now(), now(), $1, 'Workflow ' || md5(n::text), 'cloud', true,
       '[{"type":"timer","key":"every-minute","config":{"seconds":60},"outputIds":[["log"]]}]',
       '[{"id":"log","type":"DebugNode","config":{"message":"Still there"},"outputIds":[[]]}]', '[]'
     FROM generate_series(1, 10000) n`,
    [owners[0]!.applications[0]],
  );
  await client.query('VACUUM ANALYZE');
  await client.end();
  return owners;
}

async function launch(
  file: string,
  env: NodeJS.ProcessEnv,
  path: string,
): Promise<{ url: string; child: ChildProcess }> {
  const PORT = String(await freePort());
  const child = spawn(process.execPath, [join(import.meta.dirname, file)], {
    env: { ...env, PORT },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${PORT}`;
  for (let tries = 0; tries < 100; tries++) {
    if (child.exitCode !== null) break;
    if (
      await fetch(url + path).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return { url, child };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${file} did not start`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
