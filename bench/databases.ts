import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { Config } from '../src/config/config.js';
import { entities } from '../src/families.js';
import { prepareDatabase } from '../src/first-start.js';
import { aggregateCounts } from '../src/platform/counts/counts-aggregator.js';
import { loadTokenKey } from '../src/lib/crypto/keys.js';
import { accountPasswords } from '../src/lib/crypto/passwords.js';
import { createDataSource } from '../src/platform/database/data-source.js';
import { Database } from '../src/platform/database/database.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../src/platform/database/embedded-postgres.js';
import type { ServerLog } from '../src/lib/processes/server-process.js';
import { startPrivateRedis, type PrivateRedis } from '../src/platform/jobs/private-redis.js';
import { TokenSigner } from '../src/platform/access/token-signer.js';
import { seed, type OwnedBy, type Shape, type Tenant } from './shapes.js';

export const PASSWORD = 'Correct-Horse-7';
const SETTINGS = { shared_buffers: '512MB', min_wal_size: '2GB', max_wal_size: '8GB' };
/** Writes a gigabyte into the write-ahead log. */
const FILL_LOG = `SELECT count(pg_logical_emit_message(false, 'bench', repeat('x', 1048576))) FROM generate_series(1, 1024)`;
/** Requests are counted against rate limits as in production, but none is refused. */
const COUNTED = {
  REQUESTS_PER_TOKEN: '999999999',
  REQUESTS_PER_OWNER: '999999999',
  REQUESTS_PER_FLEET: '999999999',
  MESSAGES_PER_DEVICE: '0',
};

/** A seeded database, with everything that servers and requests need to use it. */
export interface Field {
  ownedBy: OwnedBy;
  /** Tenants that requests are about, in turn. Each has one token, which servers cache. */
  tenants: readonly (Tenant & { token: string })[];
  /** Returns a token of the tenant that no server has seen, with these scopes or, by default, those of a user. */
  newToken(tenant: Tenant, scopes?: readonly string[]): string;
  /** Environment that servers on this database are started with. */
  env: NodeJS.ProcessEnv;
  /** Tables that no request may scan. */
  largeTables: ReadonlySet<string>;
  /** ID of the parent process of all PostgreSQL processes. */
  postgresPid: number;
}

/** A PostgreSQL and a Redis for the benchmark only, with one database per data shape. */
export class Databases {
  private fields = 0;

  private constructor(
    private readonly dataDir: string,
    private readonly postgres: EmbeddedPostgres,
    private readonly redis: PrivateRedis,
    private readonly passwordHash: string,
    private readonly signer: TokenSigner,
    private readonly postgresPid: number,
  ) {}

  static async start(): Promise<Databases> {
    const dataDir = await mkdtemp(join(tmpdir(), 'fieldwright-bench-'));
    const log = { debug: () => undefined, warn: console.warn, error: console.error };
    const postgres = await startWithLog(dataDir, log);
    const redis = await startPrivateRedis({ dataDir, log });
    const dataSource = await createDataSource({ url: postgres.url, entities }).initialize();
    await prepareDatabase(dataSource, Config.from({ DATA_DIR: dataDir, ADMIN_PASSWORD: PASSWORD }));
    await dataSource.destroy();
    const pidFile = await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8');
    return new Databases(
      dataDir,
      postgres,
      redis,
      await accountPasswords.hash('test', PASSWORD),
      new TokenSigner(loadTokenKey({ dataDir })),
      Number.parseInt(pidFile, 10),
    );
  }

  /** Creates a database of this shape. */
  async fill(shape: Shape, ownedBy: OwnedBy): Promise<Field> {
    const name = `field_${this.fields++}`;
    // The connection that the platform uses with its embedded PostgreSQL; the bare server uses the same.
    const url = new URL(this.postgres.socketUrl);
    await withClient(url.href, (client) =>
      client.query(`CREATE DATABASE ${name} TEMPLATE ${url.pathname.slice(1)}`),
    );
    url.pathname = `/${name}`;
    const tenants = await withClient(url.href, (client) => seed(client, shape, ownedBy, this.passwordHash));
    await keepCounts(url.href);
    if (shape.analyzed) await withClient(url.href, (client) => client.query('VACUUM ANALYZE'));
    const newToken = ({ userId }: Tenant, scopes: readonly string[] = ['all.User']) =>
      this.signer.sign({ sub: userId, scope: scopes }, { ttl: 0, issuedAt: new Date() });
    const env = { ...process.env, ...COUNTED, DATA_DIR: this.dataDir, REDIS_URL: this.redis.url };
    return {
      ownedBy,
      tenants: tenants.map((tenant) => ({ ...tenant, token: newToken(tenant) })),
      newToken,
      env: { ...env, DATABASE_URL: url.href, OWNED_BY: ownedBy },
      largeTables: await withClient(url.href, largeTables),
      postgresPid: this.postgresPid,
    };
  }

  async stop(): Promise<void> {
    await Promise.all([this.redis.stop(), this.postgres.stop()]);
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/**
 * Starts a server that reuses the files of its write-ahead log, as one does that has run for a while. A new one creates
 * each, and all commits wait for that.
 */
async function startWithLog(dataDir: string, log: ServerLog): Promise<EmbeddedPostgres> {
  const fresh = await startEmbeddedPostgres({ dataDir, log, settings: SETTINGS });
  await withClient(fresh.url, (client) => client.query(FILL_LOG));
  // The shutdown makes the files reusable.
  await fresh.stop();
  return startEmbeddedPostgres({ dataDir, log, settings: SETTINGS });
}

/** Runs immediately the work that a worker would do in its first seconds. */
export async function keepCounts(url: string): Promise<void> {
  const dataSource = await createDataSource({ url }).initialize();
  while (await aggregateCounts(new Database(dataSource)));
  await dataSource.destroy();
}

/** Returns the tables that are larger than the size below which PostgreSQL prefers a scan to an index. */
async function largeTables(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND pg_relation_size(oid) > 512 * 1024
     AND relnamespace = 'public'::regnamespace`,
  );
  return new Set(rows.map(({ name }) => name));
}

/** Runs work on a separate connection without the time-outs of the platform. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
