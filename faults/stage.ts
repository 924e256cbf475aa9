import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../src/platform/database/embedded-postgres.js';
import { startPrivateRedis, type PrivateRedis } from '../src/platform/jobs/private-redis.js';
import { freePort } from '../test/setup/free-port.js';
import { Client } from './client.js';
import { Mailbox } from './mailbox.js';
import { BackendTarget, PlatformTarget, ServerTarget, type Target } from './targets.js';

const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };
const SETTLE_TIMEOUT_MS = 120_000;
const POLL_INTERVAL_MS = 500;

/** Options of a stage. */
export interface Setting {
  /** Number of worker processes. */
  workers?: number;
  /** Number of processes that execute workflows. */
  engines?: number;
  /** Number of processes that serve experiences. */
  sites?: number;
  /** Number of processes that serve MQTT. */
  brokers?: number;
  /** Additional environment variables of its processes. */
  env?: Readonly<Record<string, string>>;
}

const ORDINALS = ['', 'second ', 'third '];

/** A platform with two API processes, several workers and engines, with its own PostgreSQL, Redis and mail server. */
export class Stage {
  /** PostgreSQL, and Redis if it is installed. */
  readonly servers: readonly Target[];

  private constructor(
    /** Contains the logs of its processes. */
    readonly dataDir: string,
    private readonly postgres: EmbeddedPostgres,
    private readonly redis: PrivateRedis,
    readonly mailbox: Mailbox,
    readonly apis: readonly PlatformTarget[],
    readonly workers: readonly PlatformTarget[],
    readonly engines: readonly PlatformTarget[],
    readonly sites: readonly PlatformTarget[],
    /** Ports of the sites, in the order of their processes. */
    readonly sitesPorts: readonly number[],
    readonly brokers: readonly PlatformTarget[],
    /** Ports of the brokers, in the order of their processes. */
    readonly mqttPorts: readonly number[],
  ) {
    const serves = () => this.serves();
    const pidFile = (path: string) => join(dataDir, path);
    const own = new ServerTarget('PostgreSQL', postgres, pidFile('postgres/data/postmaster.pid'), serves);
    this.servers =
      redis.kind === 'in-process'
        ? [own]
        : [own, new ServerTarget('Redis', redis, pidFile('redis/data/redis.pid'))];
  }

  /** `wrong` receives a sentence if a process ends by itself, or if PostgreSQL or Redis cannot be restarted. */
  static async start(
    wrong: (sentence: string) => void,
    {
      workers: count = 1,
      engines: engineCount = 0,
      sites: siteCount = 0,
      brokers: brokerCount = 0,
      env: told = {},
    }: Setting = {},
  ): Promise<Stage> {
    const dataDir = await mkdtemp(join(tmpdir(), 'fieldwright-faults-'));
    const silent = () => undefined;
    const options = { dataDir, log: { debug: silent, warn: silent, error: silent } };
    const lost = ({ message }: Error) => wrong(message);
    const crashed = (name: string) => wrong(`A process ended by itself: ${name}`);
    const postgres = await startEmbeddedPostgres({ ...options, lost });
    const redis = await startPrivateRedis({ ...options, lost });
    const mailbox = new Mailbox();
    const env = {
      ...process.env,
      DATA_DIR: dataDir,
      DATABASE_URL: postgres.socketUrl,
      REDIS_URL: redis.url,
      SMTP_URL: await mailbox.start(),
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      LOG_LEVEL: 'error',
      REQUESTS_PER_TOKEN: '0',
      REQUESTS_PER_OWNER: '0',
      REQUESTS_PER_FLEET: '0',
      MESSAGES_PER_DEVICE: '0',
      ...told,
    };
    const target = async (name: string, role: string, more: NodeJS.ProcessEnv = {}) =>
      new PlatformTarget(
        name,
        Number(await freePort()),
        { ...env, PROCESS_ROLE: role, ...more },
        join(dataDir, `${name}.log`),
        crashed,
      );
    const several = (max: number, name: string, role: string) =>
      Promise.all(ORDINALS.slice(0, max).map((ordinal) => target(ordinal + name, role)));
    const apis = await several(2, 'API', 'api');
    const workers = await several(count, 'worker', 'worker');
    const engines = await several(engineCount, 'engine', 'engine');
    const listening = async (max: number, name: string, role: string, variable: string) => {
      const ports = await Promise.all(Array.from({ length: max }, freePort));
      const targets = ports.map((port, i) => target(ORDINALS[i] + name, role, { [variable]: port }));
      return { ports, targets: await Promise.all(targets) };
    };
    const sites = await listening(siteCount, 'site server', 'sites', 'SITES_PORT');
    const brokers = await listening(brokerCount, 'broker', 'broker', 'MQTT_PORT');
    // The first process creates the schema.
    await apis[0]!.start();
    const others = [...apis.slice(1), ...workers, ...engines, ...sites.targets, ...brokers.targets];
    await Promise.all(others.map((one) => one.start()));
    return new Stage(
      dataDir,
      postgres,
      redis,
      mailbox,
      apis,
      workers,
      engines,
      sites.targets,
      sites.ports.map(Number),
      brokers.targets,
      brokers.ports.map(Number),
    );
  }

  get urls(): string[] {
    return this.apis.map(({ url }) => url);
  }

  get targets(): Target[] {
    return [...this.processes, ...this.servers];
  }

  get processes(): PlatformTarget[] {
    return [...this.apis, ...this.workers, ...this.engines, ...this.sites, ...this.brokers];
  }

  /** A connection of PostgreSQL. */
  get backend(): Target {
    return new BackendTarget(this.servers[0]!, () => this.serves());
  }

  /** Returns whether PostgreSQL accepts statements. */
  private serves(): Promise<boolean> {
    return this.rows('SELECT').then(
      () => true,
      () => false,
    );
  }

  /** Returns a token of the administrator, or of another user with the same password. */
  async signIn(email = ADMIN.email): Promise<string> {
    const { outcome, status, body } = await new Client(this.urls).send('POST', '/auth/user', {
      ...ADMIN,
      email,
    });
    if (outcome !== 'done') throw new Error(`Sign-in returned ${status}`);
    return body.token as string;
  }

  /** Returns the rows of a statement as texts. */
  async rows(sql: string, values: readonly unknown[] = []): Promise<string[][]> {
    const client = new pg.Client(this.postgres.url);
    // If a connection ends between statements, the next statement fails, or the connection was being closed.
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<string[]>({ text: sql, values: [...values], rowMode: 'array' })).rows;
    } finally {
      await client.end();
    }
  }

  get databaseUrl(): string {
    return this.postgres.url;
  }

  get redisUrl(): string {
    return this.redis.url;
  }

  /**
   * Waits until no job is pending and no device hours remain to be aggregated, skipping the retry delays. Returns the
   * number of jobs that are left.
   */
  async settle(): Promise<number> {
    for (const end = Date.now() + SETTLE_TIMEOUT_MS; ; await sleep(POLL_INTERVAL_MS)) {
      await this.rows(`UPDATE jobs SET due_at = now() WHERE status = 'queued' AND due_at > now()`);
      const [[jobs, hours] = []] = await this.rows(
        `SELECT (SELECT count(*) FROM jobs WHERE status IN ('queued', 'inProgress')), (SELECT count(*) FROM device_hours_due)`,
      );
      if ((jobs === '0' && hours === '0') || Date.now() > end) return Number(jobs);
    }
  }

  /** Stops everything and deletes the data unless `keep` is set. */
  async stop({ keep }: { keep: boolean }): Promise<void> {
    await Promise.all(this.processes.map((one) => one.stop()));
    await Promise.all([this.redis.stop(), this.postgres.stop(), this.mailbox.stop()]);
    if (!keep) await rm(this.dataDir, { recursive: true, force: true });
  }
}
