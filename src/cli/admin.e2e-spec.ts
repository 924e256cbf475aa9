import { jest } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { compilePlatform, type CompiledPlatform } from '../../test/setup/compiled.js';
import { PASSWORD, uniqueName } from '../../test/make/make.js';
import { databaseForWorker } from '../../test/setup/databases.js';
import { suite } from '../../test/setup/suite.js';
import { Config } from '../config/config.js';
import { SsoDomain } from '../modules/accounts/auth/auth.resource.js';
import { FLOW_PURGE } from '../modules/flows/flows/flows.jobs.js';
import { User } from '../modules/accounts/users/user.entity.js';
import { Job } from '../platform/jobs/job.entity.js';
import { startEmbeddedPostgres } from '../platform/database/embedded-postgres.js';
import { commands } from './commands.js';

jest.setTimeout(120_000);

const CERTIFICATE = resolve('test/fixtures/idp-cert.pem');
const OTHER_CERTIFICATE = resolve('test/fixtures/other-idp-cert.pem');
const NEW_PASSWORD = 'Horse-Correct-8';

interface Outcome {
  code: number;
  out: string;
  err: string;
}

const address = () => `${uniqueName('user')}@example.com`;
/** Address of a user that no command may create. */
const STRANGER = address();

describe('npm run admin', () => {
  const { test } = suite();
  let folder: string;
  let compiled: CompiledPlatform;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fieldwright-admin-'));
    compiled = await compilePlatform();
  });

  afterAll(async () => {
    await compiled.remove();
    await rm(folder, { recursive: true });
  });

  const signIn = (email: string, password: string) => test.client.post('/auth/user', { email, password });

  /** Runs the program with only `env` as its configuration; nothing is inherited from this process. */
  function admin(env: Record<string, string>, args: string[], input = ''): Promise<Outcome> {
    return new Promise((done) => {
      const options = { env: { PATH: process.env.PATH, ...env }, cwd: folder };
      const child = execFile(
        process.execPath,
        [compiled.program('src/cli/admin'), ...args],
        options,
        (error, out, err) => done({ code: error ? Number(error.code) : 0, out, err }),
      );
      child.stdin?.end(input);
    });
  }

  /** Runs the program in this process, which has already loaded the platform, and returns its output. */
  async function run(env: Record<string, string>, args: string[]): Promise<string> {
    const written = jest.spyOn(console, 'log').mockReturnValue();
    try {
      await commands(Config.from(env)).parseAsync(args, { from: 'user' });
      return written.mock.calls.map(([line]) => `${line}\n`).join('');
    } finally {
      written.mockRestore();
    }
  }

  it('creates users and sets their passwords in the database of DATABASE_URL', async () => {
    const env = { DATABASE_URL: await databaseForWorker() };
    const email = address();

    const created = await admin(env, ['user', 'create', email.toUpperCase(), '--instance-admin']);
    expect(created).toMatchObject({ code: 0, err: '' });
    expect(created.out).toContain(`Created the user ${email} (`);
    const made = /^Password {2}(\S+) /m.exec(created.out)![1]!;
    expect((await signIn(email, made)).status).toBe(200);

    const changed = await admin(
      env,
      ['user', 'set-password', email, '--password-stdin'],
      `${NEW_PASSWORD}\n`,
    );
    expect(changed).toMatchObject({ code: 0, err: '', out: expect.stringContaining('within 5 seconds') });
    expect(changed.out).not.toContain(NEW_PASSWORD);
    expect((await signIn(email, NEW_PASSWORD)).status).toBe(200);
    expect(await run(env, ['instances', 'list'])).toContain(email);
  });

  it('manages identity providers', async () => {
    const env = { DATABASE_URL: await databaseForWorker() };
    const domain = `${uniqueName('d')}.example.com`;
    const provider = [
      '--entry-point',
      'https://idp.example.com/sso',
      '--issuer',
      'idp',
      '--certificate',
      CERTIFICATE,
      OTHER_CERTIFICATE,
    ];
    expect(await run(env, ['sso', 'add', domain, ...provider])).toBe(
      `Added the identity provider of ${domain}.\n`,
    );
    const { certificates } = await test.dataSource.manager.findOneByOrFail(SsoDomain, { domain });
    expect(certificates).toHaveLength(2);
    expect(await run(env, ['sso', 'list'])).toMatch(
      new RegExp(`^${domain} .*certificates until \\d{4}-`, 'm'),
    );
    expect(await run(env, ['sso', 'remove', domain])).toBe(`Removed the identity provider of ${domain}.\n`);
  });

  it('lists failed jobs and retries them', async () => {
    const env = { DATABASE_URL: await databaseForWorker() };
    const now = new Date();
    const dates = { dueAt: now, creationDate: now, lastUpdated: now, completedAt: now };
    const job = { id: uniqueName('job'), name: FLOW_PURGE.name, payload: { flowId: 'f' }, attempts: 100 };
    const error = { name: 'Error', message: 'The job failed unexpectedly' };
    const failed: Partial<Job> = { ...job, ...dates, error, status: 'failed' };
    await test.dataSource.manager.insert(Job, failed);
    expect(await admin(env, ['jobs', 'list'])).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(
        new RegExp(`^${job.id}  flow.purge  .*  attempts 100  The job failed unexpectedly$`, 'm'),
      ),
    });
    expect(await run(env, ['jobs', 'retry', job.id])).toBe(`Queued again: ${job.id}.\n`);
    expect(await run(env, ['jobs', 'list'])).not.toContain(job.id);
  });

  it('prints the secret of callbacks', async () => {
    const keyed = { SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') };
    const secret = await run(keyed, ['callbacks', 'secret', '575ec8687ae143cd83dc4a97']);
    expect(secret).toMatch(/^whsec_[\w+/]{43}=\n$/);
  });

  it.each<[string[], RegExp | string]>([
    [['user', 'create'], "error: missing required argument 'email'"],
    [['user', 'create', 'ada'], '"ada" is not an email address.'],
    [['user', 'create', STRANGER, '--password', 'short'], /^The password must have 12 characters or more/],
    [['user', 'create', STRANGER, '--password', PASSWORD, '--password-stdin'], /cannot be used with option/],
    [['user', 'create', STRANGER, 'more'], /too many arguments/],
    [['user', 'set-password', STRANGER, '--password', PASSWORD], `The user ${STRANGER} does not exist.`],
    [['user', 'delete', STRANGER], "error: unknown command 'delete'"],
    [['sso', 'add', 'example.com', '--entry-point', 'x'], /required option .* not specified/],
    [['jobs', 'retry', 'nothing'], /^Not queued: nothing\. Each must have failed/],
    [['callbacks', 'secret', 'x'], 'The ID of an application or instance must have 24 hexadecimal digits'],
    [['sso', 'remove', 'nowhere.example.com'], 'nowhere.example.com has no single sign-on.'],
  ])('refuses %j', async (args, line) => {
    const env = { DATABASE_URL: await databaseForWorker() };
    // Commander also writes argument errors to standard error.
    const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    await expect(run(env, args)).rejects.toThrow(line);
    written.mockRestore();
    expect(await test.dataSource.manager.countBy(User, { email: STRANGER })).toBe(0);
  });

  it.each([
    [['user', 'delete'], "error: unknown command 'delete'"],
    [['user', 'create', STRANGER, '--password-stdin'], /^The password must have 12 characters or more/],
  ])('exits with one line and code 1: %j', async (args, line) => {
    const { code, out, err } = await admin({ DATABASE_URL: await databaseForWorker() }, args);
    expect({ code, out, lines: err.trim().split('\n') }).toEqual({
      code: 1,
      out: '',
      lines: [expect.stringMatching(line)],
    });
  });

  it.each([
    [
      'a configuration that is not valid',
      { PORT: 'x', DATABASE_URL: 'postgres://localhost/x' },
      /^The configuration is not valid: PORT/,
    ],
    [
      'a database that does not answer',
      { DATABASE_URL: 'postgres://127.0.0.1:1/x' },
      /^The database cannot be reached: .*ECONNREFUSED/,
    ],
  ])('reports an unreachable database in one line: %s', async (_what, env, line) => {
    const { code, err } = await admin(env, ['instances', 'list']);
    expect({ code, lines: err.trim().split('\n') }).toEqual({
      code: 1,
      lines: [expect.stringMatching(line)],
    });
  });

  it('reports a database without tables in one line', async () => {
    const { code, err } = await admin({ DATABASE_URL: process.env.TEST_POSTGRES_URL! }, ['sso', 'list']);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/^The tables of the database are missing .*\n$/),
    });
  });

  it('starts the embedded PostgreSQL if it exists, and shares it with a running platform', async () => {
    const env = { DATA_DIR: join(folder, 'var') };
    const email = address();
    const mistyped = await admin(env, ['user', 'create', email, '--password', PASSWORD]);
    expect(mistyped).toEqual({
      code: 1,
      out: '',
      err: `There is no platform in ${env.DATA_DIR}: set DATA_DIR to its folder, or start the platform there once first.\n`,
    });
    expect(existsSync(env.DATA_DIR)).toBe(false);

    const log = { debug: () => undefined, warn: () => undefined, error: () => undefined };
    await (await startEmbeddedPostgres({ dataDir: env.DATA_DIR, log })).stop();
    const alone = await admin(env, ['user', 'create', email, '--password', PASSWORD]);
    expect(alone).toMatchObject({ code: 0, err: '' });
    expect(alone.out).toMatch(
      /^Administrator admin@example\.com was created with the password {2}\S+\nCreated the user/,
    );

    const platform = await startEmbeddedPostgres({ dataDir: env.DATA_DIR, log });
    try {
      const beside = await admin(env, ['user', 'create', email, '--password', PASSWORD]);
      expect(beside).toEqual({ code: 1, out: '', err: `The user ${email} already exists.\n` });
      expect((await admin(env, ['instances', 'list'])).out).toContain('administrators admin@example.com');
    } finally {
      await platform.stop();
    }
    const again = await admin(env, ['user', 'set-password', email]);
    expect(again).toMatchObject({ code: 0, err: '', out: expect.not.stringContaining('Administrator') });
  });
});
