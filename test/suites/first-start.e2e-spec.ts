import { jest } from '@jest/globals';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compilePlatform, type CompiledPlatform } from '../setup/compiled.js';
import { PlatformProcess } from '../setup/platform-process.js';
import { freshDatabase } from '../setup/fresh-database.js';

jest.setTimeout(120_000);

let compiled: CompiledPlatform;
let folder: string;
let other: Server;
/** A port that another program listens on. */
let taken: string;
/** A port that no system gives to programs which ask for any, such as those of other suites. */
const UNUSED = '28459';

beforeAll(async () => {
  compiled = await compilePlatform();
  folder = await mkdtemp(join(tmpdir(), 'fieldwright-start-'));
  other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  taken = String((other.address() as AddressInfo).port);
});

afterAll(async () => {
  other.close();
  await compiled.remove();
  await rm(folder, { recursive: true });
});

const start = (env: Record<string, string>) =>
  new PlatformProcess(compiled.program('src/main'), { REDIS_URL: process.env.TEST_REDIS_URL!, ...env });

describe('A first start', () => {
  it.each([
    ['PORT', () => ({ PORT: taken })],
    ['METRICS_PORT', () => ({ METRICS_PORT: taken })],
    ['METRICS_PORT', () => ({ PORT: UNUSED, METRICS_PORT: UNUSED })],
    ['HOST', () => ({ HOST: '192.0.2.1' })],
  ])('creates nothing if it cannot listen, and names %s', async (name, env) => {
    const dataDir = join(folder, 'none');
    const one = start({ DATA_DIR: dataDir, ...env() });
    expect(await one.exited).toBe(1);
    expect(one.output).toMatch(new RegExp(`^${name}: [^\n]+\n$`));
    expect(existsSync(dataDir)).toBe(false);
  });

  it('restricts access to its data folder', async () => {
    const dataDir = join(folder, 'open');
    await mkdir(dataDir, { mode: 0o755 });
    expect(await start({ DATA_DIR: dataDir, DATABASE_URL: 'postgres://127.0.0.1:9/none' }).exited).toBe(1);
    expect((await stat(dataDir)).mode & 0o066).toBe(0);
  });

  it('creates no administrator with a damaged key, and prints the password once it does', async () => {
    const database = await freshDatabase({ migrated: true });
    const env = { DATABASE_URL: database.url, DATA_DIR: folder };
    await writeFile(join(folder, 'secrets.key'), 'none');
    const failed = start(env);
    expect(await failed.exited).toBe(1);
    expect(failed.output).toMatch(/^\S+secrets\.key must be 32 bytes in base64$/m);
    expect(failed.output).not.toMatch(/Administrator|\n {4}at /);

    await rm(join(folder, 'secrets.key'));
    const next = start(env);
    await next.url();
    expect(next.output).toMatch(/^Administrator {3}admin@example\.com\nPassword {8}\S{20} /m);
    expect(await next.stop()).toBe(0);
    await database.drop();
  });

  it.each([
    ['token.key', 'none'],
    ['token.key', '-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----\n'],
  ])('names a damaged %s in one line: %j', async (file, content) => {
    const database = await freshDatabase({ migrated: true });
    const dataDir = await mkdtemp(join(folder, 'damaged-'));
    await writeFile(join(dataDir, file), content);
    const damaged = start({ DATABASE_URL: database.url, DATA_DIR: dataDir, LOG_LEVEL: 'info' });
    expect(await damaged.exited).toBe(1);
    const [last] = damaged.output.trimEnd().split('\n').slice(-1);
    expect(last).toMatch(new RegExp(`^${join(dataDir, file)} must be `));
    expect(damaged.output).not.toMatch(/\n {4}at /);
    await database.drop();
  });

  it('is refused without the key of an existing database, which is never replaced', async () => {
    const database = await freshDatabase({ migrated: true });
    const dataDir = join(folder, 'keyed');
    const key = join(dataDir, 'secrets.key');
    const env = { DATABASE_URL: database.url, DATA_DIR: dataDir };
    const first = start(env);
    await first.url();
    expect(await first.stop()).toBe(0);
    const saved = await readFile(key, 'utf8');

    await rm(key);
    const without = start(env);
    expect(await without.exited).toBe(1);
    expect(without.output).toMatch(
      /^The key that encrypted the secrets in the database is missing\. Restore/m,
    );
    expect(existsSync(key)).toBe(false);

    await writeFile(key, Buffer.alloc(32, 7).toString('base64'));
    const other = start(env);
    expect(await other.exited).toBe(1);
    expect(other.output).toMatch(/^The secrets in the database were encrypted with another key\. Restore/m);

    await writeFile(key, saved);
    const restored = start(env);
    await restored.url();
    expect(await restored.stop()).toBe(0);
    await database.drop();
  });
});
