import { jest } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN } from '../setup/app.js';
import { compilePlatform, type CompiledPlatform } from '../setup/compiled.js';
import { PlatformProcess } from '../setup/platform-process.js';
import { waitUntil } from '../setup/until.js';

jest.setTimeout(180_000);

let compiled: CompiledPlatform;
let folder: string;
const started: PlatformProcess[] = [];
const mounted: string[] = [];

beforeAll(async () => {
  compiled = await compilePlatform();
  folder = await mkdtemp(join(tmpdir(), 'fieldwright-private-'));
});

afterEach(async () => {
  for (const one of started.splice(0)) await one.stop();
  for (const path of mounted.splice(0)) spawnSync('umount', [path]);
});

afterAll(async () => {
  await compiled.remove();
  await rm(folder, { recursive: true });
  await rm(PROBE, { recursive: true, force: true });
});

/** Starts the platform with its embedded PostgreSQL and Redis. */
function start(dataDir: string, env: Record<string, string> = {}): PlatformProcess {
  const own = { DATA_DIR: dataDir, ADMIN_PASSWORD: ADMIN.password };
  const one = new PlatformProcess(compiled.program('src/main'), { ...own, ...env });
  started.push(one);
  return one;
}

const statusOf = (url: string): Promise<number> =>
  fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    ({ status }) => status,
    () => 0,
  );

function kill(dataDir: string, pidFile: string): Promise<void> {
  return readFile(join(dataDir, pidFile), 'utf8').then((text) => {
    process.kill(Number.parseInt(text, 10), 'SIGKILL');
  });
}

/** Mounts an in-memory file system, if the operating system and the user's permissions allow it. */
function mountFolder(path: string, options: string): boolean {
  spawnSync('mkdir', ['-p', path]);
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'none', path]).status === 0;
  if (isMounted) mounted.push(path);
  return isMounted;
}

const PROBE = join(tmpdir(), 'fieldwright-mount');
const canMount = process.platform === 'linux' && mountFolder(PROBE, 'size=64k');
const itWithMounts = canMount ? it : it.skip;

async function signIn(url: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/auth/user`, { method: 'POST', headers, body: JSON.stringify(ADMIN) });
  return ((await response.json()) as { token: string }).token;
}

async function create(url: string, token: string, body: object): Promise<number> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/applications`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  await response.text();
  return response.status;
}

describe('A platform whose embedded server dies', () => {
  it.each([
    ['PostgreSQL', 'postgres/data/postmaster.pid'],
    ['Redis', 'redis/data/redis.pid'],
  ])('restarts %s and reports that it is unhealthy until then', async (_name, pidFile) => {
    const dataDir = join(folder, 'killed');
    const one = start(dataDir);
    const url = await one.url();
    expect(await statusOf(`${url}/health`)).toBe(200);
    await kill(dataDir, pidFile);
    await waitUntil(async () => (await statusOf(`${url}/health`)) === 503);
    await waitUntil(async () => (await statusOf(`${url}/health`)) === 200, 60_000);
    await waitUntil(async () => (await statusOf(`${url}/health/ready`)) === 200, 60_000);
    expect(await create(url, await signIn(url), { name: 'after' })).toBe(201);
  });

  itWithMounts('goes on once a full disk has space again', async () => {
    const dataDir = join(folder, 'full');
    mountFolder(dataDir, 'size=256m,mode=755');
    const one = start(dataDir);
    const url = await one.url();
    const token = await signIn(url);
    expect(await create(url, token, { name: 'before' })).toBe(201);

    const ballast = join(dataDir, 'ballast');
    spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=1M']);
    let made = 0;
    const isRefused = async () => (await create(url, token, { name: `full ${made++}` })) === 503;
    await waitUntil(isRefused, 60_000);
    await waitUntil(async () => /No space left on device/.test(one.output));
    await kill(dataDir, 'postgres/data/postmaster.pid');
    await rm(ballast);
    await waitUntil(async () => (await statusOf(`${url}/health/ready`)) === 200, 60_000);
    expect(await create(url, token, { name: 'after' })).toBe(201);
  });
});

describe('Starting with an unusable DATA_DIR fails with one line', () => {
  const servers = () => ({ REDIS_URL: process.env.TEST_REDIS_URL! });

  it('when it is a file', async () => {
    const dataDir = join(folder, 'file');
    await writeFile(dataDir, '');
    const one = start(dataDir, servers());
    expect(await one.exited).toBe(1);
    expect(one.output).toMatch(/^DATA_DIR: \S+ cannot be used: there is a file instead of a folder\.\n$/);
  });

  itWithMounts('where it cannot be written', async () => {
    const dataDir = join(folder, 'read-only');
    mountFolder(dataDir, 'ro');
    const one = start(dataDir, servers());
    expect(await one.exited).toBe(1);
    expect(one.output).toMatch(/^DATA_DIR: \S+ cannot be used: it is on a read-only file system\.\n$/);
  });
});
