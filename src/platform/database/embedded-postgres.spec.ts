import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startOrphan } from '../../../test/doubles/orphan.js';
import { waitUntil } from '../../../test/setup/until.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.js';

const log = { debug: () => undefined, warn: () => undefined, error: () => undefined };

const itOnLinux = process.platform === 'linux' ? it : it.skip;

describe('startEmbeddedPostgres', () => {
  let dataDir: string;
  let running: EmbeddedPostgres | undefined;

  const start = async (): Promise<EmbeddedPostgres> =>
    (running = await startEmbeddedPostgres({ dataDir, log }));

  async function query(text: string, url = running?.url): Promise<Record<string, unknown>[]> {
    const client = new pg.Client(url);
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }

  const postmaster = async (): Promise<number> =>
    Number.parseInt(await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8'), 10);

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'fieldwright-postgres-'));
    await start();
    await query('CREATE TABLE kept (n int)');
    await query('INSERT INTO kept VALUES (1)');
  }, 120_000);

  afterAll(async () => {
    await running?.stop();
    await rm(dataDir, { recursive: true });
  });

  it('provides UTF-8 with the same sort order and case mapping on every machine, to a role without superuser rights', async () => {
    const [row] = await query(
      "SELECT current_setting('server_encoding') AS encoding, lower('ÅÉ') AS lower, 'Z' < 'a' AS byte_order, usesuper FROM pg_user WHERE usename = current_user",
    );
    expect(row).toEqual({ encoding: 'UTF8', lower: 'åé', byte_order: true, usesuper: false });
  });

  it('requires the password, which only the owner of the folder can read', async () => {
    const url = new URL(running!.url);
    expect((await stat(join(dataDir, 'postgres/password'))).mode & 0o777).toBe(0o600);
    url.password = 'wrong';
    await expect(query('SELECT 1', url.href)).rejects.toThrow(/password authentication failed/);
    url.username = 'postgres';
    await expect(query('SELECT 1', url.href)).rejects.toThrow(/no pg_hba.conf entry/);
  });

  const address = 'SELECT inet_server_addr() IS NULL AS by_socket';
  const sockets = async () =>
    (await readdir(join(dataDir, 'postgres/data'))).filter((name) => name.startsWith('.s.PGSQL.'));

  it('accepts connections over a Unix socket, with the password, in a folder that only its user can enter', async () => {
    expect(await query(address, running!.socketUrl)).toEqual([{ by_socket: true }]);
    expect(await query(address)).toEqual([{ by_socket: false }]);
    const url = new URL(running!.socketUrl);
    url.password = 'wrong';
    await expect(query('SELECT 1', url.href)).rejects.toThrow(/password authentication failed/);
    url.username = 'postgres';
    await expect(query('SELECT 1', url.href)).rejects.toThrow(/no pg_hba.conf entry/);
    expect((await stat(join(dataDir, 'postgres/data'))).mode & 0o777).toBe(0o700);
  });

  it('rejects a second start on the same folder without affecting the first', async () => {
    await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(
      `${join(dataDir, 'postgres')} is in use by another running Fieldwright (process ${process.pid})`,
    );
    expect(await query('SELECT n FROM kept')).toEqual([{ n: 1 }]);
  });

  it('keeps its data after a stop, which leaves no process and no lock', async () => {
    const pid = await postmaster();
    await running!.stop();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(existsSync(join(dataDir, 'postgres/lock'))).toBe(false);
    await start();
    expect(await query('SELECT n FROM kept')).toEqual([{ n: 1 }]);
  });

  it('restarts at the same address with all committed data after it was killed', async () => {
    await running!.stop();
    const told: string[] = [];
    const note = (message: string) => void told.push(message);
    running = await startEmbeddedPostgres({ dataDir, log: { ...log, error: note, warn: note } });
    const { socketUrl } = running;
    await query('INSERT INTO kept VALUES (2)');
    process.kill(await postmaster(), 'SIGKILL');
    await waitUntil(async () => told.at(-1) === 'PostgreSQL is running again.');
    expect(told[0]).toMatch(/^PostgreSQL exited unexpectedly/);
    const kept = 'SELECT n FROM kept ORDER BY n';
    expect(await query(kept)).toEqual([{ n: 1 }, { n: 2 }]);
    expect(await query(kept, socketUrl)).toEqual([{ n: 1 }, { n: 2 }]);
    expect(await sockets()).toHaveLength(2);
    expect(running.isRunning).toBe(true);
  });

  it('accepts the platform over the socket even if the folder is from an earlier version', async () => {
    await running!.stop();
    const rules = join(dataDir, 'postgres/data/pg_hba.conf');
    await writeFile(rules, 'host all fieldwright 127.0.0.1/32 scram-sha-256\n');
    for (const _ of [1, 2]) {
      await start();
      expect(await query(address, running!.socketUrl)).toEqual([{ by_socket: true }]);
      await running!.stop();
    }
    expect((await readFile(rules, 'utf8')).match(/^local /gm)).toHaveLength(1);
    await start();
  });

  it('stops the server that a killed platform left behind, and takes over its data', async () => {
    await running!.stop();
    await startOrphan('startEmbeddedPostgres', dataDir);
    const orphan = await postmaster();
    const warnings: string[] = [];
    running = await startEmbeddedPostgres({
      dataDir,
      log: { ...log, warn: (message) => warnings.push(message) },
    });
    expect(warnings).toEqual([
      `Stopping the PostgreSQL (process ${orphan}) that an earlier run left behind.`,
    ]);
    expect(await query('SELECT n FROM kept ORDER BY n')).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('starts even if another program now has the process ID of the previous server', async () => {
    const pidFile = join(dataDir, 'postgres/data/postmaster.pid');
    await running!.stop();
    await writeFile(pidFile, `${process.pid}\n`);
    await start();
    expect(await postmaster()).not.toBe(process.pid);
  });

  it('starts even if a full disk left the PID file empty', async () => {
    const pidFile = join(dataDir, 'postgres/data/postmaster.pid');
    await running!.stop();
    await writeFile(pidFile, '');
    await start();
    expect(await query('SELECT count(*)::int AS rows FROM kept')).toEqual([{ rows: 2 }]);
  });

  itOnLinux('ends a server that was left behind also where that file says nothing', async () => {
    await running!.stop();
    await startOrphan('startEmbeddedPostgres', dataDir);
    const orphan = await postmaster();
    await writeFile(join(dataDir, 'postgres/data/postmaster.pid'), '');
    const warnings: string[] = [];
    running = await startEmbeddedPostgres({
      dataDir,
      log: { ...log, warn: (message) => warnings.push(message) },
    });
    expect(warnings).toEqual([
      expect.stringContaining(`(process ${orphan}) that an earlier run left behind`),
    ]);
  });

  it('is reachable over TCP if the path of its folder is too long for a socket', async () => {
    const deep = join(dataDir, 'd'.repeat(60));
    const other = await startEmbeddedPostgres({ dataDir: deep, log });
    try {
      expect(other.socketUrl).toBe(other.url);
      expect(await query(address, other.socketUrl)).toEqual([{ by_socket: false }]);
    } finally {
      await other.stop();
    }
  }, 60_000);
});
