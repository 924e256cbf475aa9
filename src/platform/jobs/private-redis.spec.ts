import Queue from 'bull';
import { Redis } from 'ioredis';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { startOrphan } from '../../../test/doubles/orphan.js';
import { waitUntil } from '../../../test/setup/until.js';
import {
  installedRedis,
  type PrivateRedis,
  startInProcessRedis,
  startPrivateRedis,
  withBrpoplpush,
} from './private-redis.js';

const log = { debug: () => undefined, warn: () => undefined, error: () => undefined };

/** Runs an immediate, a delayed and an initially failing job through Bull, and returns their results. */
async function runJobs({ url, kind }: PrivateRedis): Promise<unknown[]> {
  const clients: Redis[] = [];
  const createClient = (_type: string, options?: object): Redis => {
    const client = new Redis(url, { ...options, maxRetriesPerRequest: null, enableReadyCheck: false });
    clients.push(client);
    return kind === 'in-process' ? withBrpoplpush(client) : client;
  };
  const queue = new Queue('specimens', { createClient });
  try {
    void queue.process(async (job) => {
      if (job.data.fails > job.attemptsMade) throw new Error('once more');
      return job.data.n * 2;
    });
    const jobs = [
      await queue.add({ n: 1 }, { jobId: 'first' }),
      await queue.add({ n: 2 }, { delay: 20 }),
      await queue.add({ n: 3, fails: 1 }, { attempts: 2 }),
    ];
    return await Promise.all(jobs.map((job) => job.finished()));
  } finally {
    await queue.close();
    // Bull does not close clients that createClient returned.
    for (const client of clients) client.disconnect();
  }
}

async function withClient<T>(url: string, use: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(url, { maxRetriesPerRequest: 0, retryStrategy: () => null });
  client.on('error', () => undefined);
  try {
    return await use(client);
  } finally {
    client.disconnect();
  }
}

async function commandLineOf(pid: number): Promise<string> {
  if (process.platform === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8');
  return spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
}

function withoutPassword(url: string): string {
  return Object.assign(new URL(url), { password: '' }).href;
}

describe('startInProcessRedis', () => {
  let running: PrivateRedis;

  beforeAll(async () => {
    running = await startInProcessRedis();
  });

  afterAll(() => running.stop());

  it('runs Bull jobs', async () => {
    expect(running.kind).toBe('in-process');
    expect(await runJobs(running)).toEqual([2, 4, 6]);
  });

  it('rejects clients without the password', async () => {
    await expect(withClient(withoutPassword(running.url), (client) => client.get('x'))).rejects.toThrow(
      /NOAUTH/,
    );
  });

  it('stops even if clients are connected', async () => {
    const other = await startInProcessRedis();
    await withClient(other.url, async (client) => {
      await client.set('x', '1');
      await other.stop();
      await expect(client.get('x')).rejects.toThrow();
    });
  });
});

const server = installedRedis();
const describeWithServer = server ? describe : describe.skip;

describeWithServer(
  `startPrivateRedis with ${server ?? 'redis-server or valkey-server (skipped: none on the PATH)'}`,
  () => {
    let dataDir: string;
    let running: PrivateRedis | undefined;

    const start = async (): Promise<PrivateRedis> => (running = await startPrivateRedis({ dataDir, log }));
    const processId = async (): Promise<number> =>
      Number(await readFile(join(dataDir, 'redis/data/redis.pid'), 'utf8'));

    beforeAll(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'fieldwright-redis-'));
      await start();
    });

    afterAll(async () => {
      await running?.stop();
      await rm(dataDir, { recursive: true });
    });

    it('runs Bull jobs', async () => {
      expect(running!.kind).toBe(server);
      expect(await runJobs(running!)).toEqual([2, 4, 6]);
    });

    it('rejects clients without the password, which the process list does not show', async () => {
      const { url } = running!;
      await expect(withClient(withoutPassword(url), (client) => client.get('x'))).rejects.toThrow(/NOAUTH/);
      const commandLine = await commandLineOf(await processId());
      expect(commandLine).toMatch(/(redis|valkey)-server/);
      expect(commandLine).not.toContain(new URL(url).password);
    });

    it('rejects a second start on the same folder', async () => {
      await expect(startPrivateRedis({ dataDir, log })).rejects.toThrow(
        /redis is in use by another running Fieldwright/,
      );
    });

    it('keeps its data across restarts', async () => {
      await withClient(running!.url, (client) => client.set('kept', 'over a stop'));
      const pid = await processId();
      await running!.stop();
      expect(() => process.kill(pid, 0)).toThrow('ESRCH');
      await start();
      expect(await withClient(running!.url, (client) => client.get('kept'))).toBe('over a stop');
    });

    it('restarts at the same address with its data after it is killed', async () => {
      await running!.stop();
      const told: string[] = [];
      const note = (message: string) => void told.push(message);
      running = await startPrivateRedis({ dataDir, log: { ...log, error: note, warn: note } });
      const { url } = running;
      await withClient(url, (client) => client.set('kept', 'over a kill'));
      // Redis writes its data to the system once a second; data that was written survives a kill.
      process.kill(await processId(), 'SIGKILL');
      await waitUntil(async () => told.length > 1);
      expect(told).toEqual([
        expect.stringMatching(/exited unexpectedly/),
        expect.stringMatching(/is running again/),
      ]);
      expect(await withClient(url, (client) => client.get('kept'))).toBe('over a kill');
      expect(running.isRunning).toBe(true);
    });

    it('can be stopped while it is being restarted', async () => {
      const dead = await processId();
      process.kill(dead, 'SIGKILL');
      await waitUntil(async () => !running!.isRunning);
      await running!.stop();
      await start();
      expect(await withClient(running!.url, (client) => client.get('kept'))).toBe('over a kill');
    });

    it('stops the orphaned server of a killed platform and takes over its data', async () => {
      await running!.stop();
      await startOrphan('startPrivateRedis', dataDir);
      const orphan = await processId();
      const warnings: string[] = [];
      running = await startPrivateRedis({
        dataDir,
        log: { ...log, warn: (message) => warnings.push(message) },
      });
      expect(warnings).toEqual([
        expect.stringContaining(`(process ${orphan}) that an earlier run left behind`),
      ]);
      expect(await withClient(running.url, (client) => client.get('kept'))).toBe('over a kill');
    });

    it.each([
      ['whose content is none', async (files: string) => writeIncrement(files, 'nonsense'.repeat(100))],
      ['without one that is named', async (files: string) => rm(join(files, await increment(files)))],
      ['whose list is none', (files: string) => writeFile(join(files, MANIFEST), 'nonsense')],
    ])('starts on damaged files (%s) and moves them aside', async (_files, damage) => {
      await running!.stop();
      await damage(join(dataDir, 'redis/data/appendonlydir'));
      const warnings: string[] = [];
      const warn = (message: string) => void warnings.push(message);
      running = await startPrivateRedis({ dataDir, log: { ...log, warn } });
      expect(warnings).toEqual([
        expect.stringMatching(/cannot read its data, which is now in .*data\.damaged/),
      ]);
      expect(existsSync(join(dataDir, 'redis/data.damaged/appendonlydir'))).toBe(true);
      expect(await withClient(running.url, (client) => client.set('kept', 'anew'))).toBe('OK');
    });
  },
);

const MANIFEST = 'appendonly.aof.manifest';

async function increment(files: string): Promise<string> {
  return (await readdir(files)).find((name) => name.endsWith('.incr.aof'))!;
}

async function writeIncrement(files: string, text: string): Promise<void> {
  await writeFile(join(files, await increment(files)), text);
}
