import { jest } from '@jest/globals';
import { Redis } from 'ioredis';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { once } from 'node:events';
import pg from 'pg';
import { ADMIN } from '../setup/app.js';
import { compilePlatform, type CompiledPlatform } from '../setup/compiled.js';
import { EventReader } from '../doubles/event-reader.js';
import { FailoverProxy } from '../doubles/failover-proxy.js';
import { uniqueName } from '../make/make.js';
import { PlatformProcess } from '../setup/platform-process.js';
import { freshDatabase, type FreshDatabase } from '../setup/fresh-database.js';
import { sharedKeys } from '../make/sign-in.js';
import { waitUntil } from '../setup/until.js';

jest.setTimeout(120_000);

let compiled: CompiledPlatform;
let database: FreshDatabase;
let dataDir: string;
const keys = sharedKeys();
const started: PlatformProcess[] = [];
const agent = new Agent({ keepAlive: true });

beforeAll(async () => {
  compiled = await compilePlatform();
  database = await freshDatabase({ migrated: true });
  dataDir = await mkdtemp(join(tmpdir(), 'fieldwright-stop-'));
});

afterEach(async () => {
  for (const one of started.splice(0)) {
    one.kill('SIGKILL');
    await one.exited;
  }
});

afterAll(async () => {
  agent.destroy();
  await database.drop();
  await compiled.remove();
  await rm(dataDir, { recursive: true });
});

function start(env: Record<string, string> = {}): PlatformProcess {
  const servers = { DATABASE_URL: database.url, REDIS_URL: process.env.TEST_REDIS_URL! };
  const own = { DATA_DIR: dataDir, ADMIN_PASSWORD: ADMIN.password, PROCESS_ROLE: 'api' };
  const one = new PlatformProcess(compiled.program('src/main'), { ...servers, ...own, ...keys, ...env });
  started.push(one);
  return one;
}

interface Answered {
  status: number;
  connection: string | undefined;
  body: any;
}

async function send(url: string, method: string, body?: object, token?: string): Promise<Answered> {
  const headers = {
    'content-type': 'application/json',
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  };
  const outgoing = request(url, { method, agent, headers });
  outgoing.end(body && JSON.stringify(body));
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: answer.statusCode!, connection: answer.headers.connection, body: await json(answer) };
}

async function signIn(url: string): Promise<string> {
  return (await send(`${url}/auth/user`, 'POST', ADMIN)).body.token as string;
}

/** Locks a row against changes; returns a function that releases it. */
async function holdRow(id: string): Promise<() => Promise<void>> {
  const client = new pg.Client(database.url);
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM applications WHERE id = $1 FOR UPDATE', [id]);
  return async () => {
    await client.query('ROLLBACK');
    await client.end();
  };
}

/** Returns the number of statements that wait for a lock. */
async function waiting(): Promise<number> {
  const client = new pg.Client(database.url);
  await client.connect();
  const { rowCount } = await client.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  await client.end();
  return rowCount!;
}

describe('A process that is asked to stop', () => {
  it('reports that it is not ready, answers requests in flight, closes its connections and exits', async () => {
    const one = start();
    const url = await one.url();
    const token = await signIn(url);
    const { id } = (await send(`${url}/applications`, 'POST', { name: uniqueName() }, token)).body;
    const release = await holdRow(id);
    const path = `${url}/applications/${id}`;
    const answers = ['a', 'b', 'c'].map((description) => send(path, 'PATCH', { description }, token));
    await waitUntil(async () => (await waiting()) === 3);

    one.kill('SIGTERM');
    const ready = () => send(`${url}/health/ready`, 'GET');
    await waitUntil(async () => (await ready()).status === 503);
    expect(await ready()).toMatchObject({ connection: 'close', body: { status: 'shutting_down' } });
    // Load balancers poll at intervals; requests they still send are served.
    expect(await send(path, 'GET', undefined, token)).toMatchObject({ status: 200, connection: 'close' });
    await release();

    for (const answer of await Promise.all(answers))
      expect(answer).toMatchObject({ status: 200, connection: 'close', body: { id } });
    expect(await one.exited).toBe(0);
    await expect(ready()).rejects.toThrow('ECONNREFUSED');
  });

  it('stops within the time limit', async () => {
    const one = start({ SHUTDOWN_TIMEOUT: '1' });
    const url = await one.url();
    const token = await signIn(url);
    const { id } = (await send(`${url}/applications`, 'POST', { name: uniqueName() }, token)).body;
    const release = await holdRow(id);
    const cut = send(`${url}/applications/${id}`, 'PATCH', { description: 'a' }, token);
    const refused = expect(cut).rejects.toThrow('socket hang up');
    await waitUntil(async () => (await waiting()) === 1);
    expect(await one.stop()).toBe(0);
    await refused;
    expect(one.output).toContain('Requests that were cut off after 1 second: 1');
    await release();
  });

  it('writes the log lines of its last requests', async () => {
    const one = start({ LOG_LEVEL: 'info' });
    const url = await one.url();
    for (const last of ['a', 'b', 'c']) await send(`${url}/${last}`, 'GET');
    expect(await one.stop()).toBe(0);
    const paths = [...one.output.matchAll(/"path":"\/([abc])"/g)].map(([, path]) => path);
    expect(paths).toEqual(['a', 'b', 'c']);
  });

  it('does not wait for idle connections', async () => {
    const one = start();
    const url = await one.url();
    await send(`${url}/health`, 'GET');
    const silent = connect(Number(new URL(url).port), '127.0.0.1');
    await once(silent, 'connect');
    expect(await one.stop()).toBe(0);
    expect(one.output).not.toContain('cut off');
  });
});

describe('A rolling replacement of two processes', () => {
  it('fails no request behind a proxy that retries only refused connections', async () => {
    const urls = await Promise.all([start().url(), start().url()]);
    const proxy = new FailoverProxy(new Set(urls));
    const url = await proxy.listen();
    const token = await signIn(url);
    const failures: unknown[] = [];
    const made: string[] = [];
    let rolling = true;
    const callers = Array.from({ length: 8 }, async () => {
      while (rolling) {
        const name = uniqueName();
        const { status, body } = await send(`${url}/applications`, 'POST', { name }, token);
        if (status === 201) made.push(body.id);
        else failures.push({ status, body });
        const got = await send(`${url}/applications/${made.at(-1)}`, 'GET', undefined, token);
        if (got.status !== 200) failures.push(got);
      }
    });
    for (const [at, old] of urls.entries()) {
      const next = start();
      proxy.processes.add(await next.url());
      await proxy.look();
      expect(await started[at]!.stop()).toBe(0);
      proxy.processes.delete(old);
    }
    rolling = false;
    await Promise.all(callers);
    proxy.close();
    expect(failures).toEqual([]);
    expect(made.length).toBeGreaterThan(20);
    expect(new Set(made).size).toBe(made.length);
  });
});

/** Waits until processes have sent a heartbeat, which all that are ready receive. */
async function heartbeatsOf(processes: number): Promise<void> {
  const redis = new Redis(process.env.TEST_REDIS_URL!);
  const heard = new Set<string>();
  redis.on('message', (_channel, message: string) => {
    const [kind, id] = message.split(' ');
    if (kind === 'beat') heard.add(id!);
  });
  await redis.subscribe(`fieldwright:${new URL(database.url).pathname.slice(1)}:revocations`);
  await waitUntil(async () => heard.size === processes);
  redis.disconnect();
}

describe('A killed process', () => {
  it('ends the streams of other processes, because its last events may be lost', async () => {
    const [one, two] = [start(), start()];
    const [url] = await Promise.all([one.url(), two.url()]);
    const token = await signIn(url);
    const { id } = (await send(`${url}/applications`, 'POST', { name: uniqueName() }, token)).body;
    const devices = `${url}/applications/${id}/devices`;
    const device = (await send(devices, 'POST', { name: uniqueName() }, token)).body;
    const body = { name: uniqueName(), scope: ['all.User'] };
    const reading = (await send(`${url}/me/tokens`, 'POST', body, token)).body.token as string;
    const reader = await EventReader.open(`${devices}/${device.id}/commandStream`, reading);
    expect(reader.status).toBe(200);
    // Nobody misses a process that they have not heard of.
    await heartbeatsOf(2);
    two.kill('SIGKILL');
    await two.exited;
    expect(reader.isOver).toBe(false);
    await reader.ends(60_000);
  }, 120_000);
});
