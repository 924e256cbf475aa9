import { jest } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { compilePlatform, type CompiledPlatform } from '../../test/compiled.js';
import { PASSWORD, unique } from '../../test/make.js';
import { databaseForWorker } from '../../test/setup/databases.js';
import { suite } from '../../test/suite.js';
import { SsoDomain } from '../modules/auth/auth.resource.js';
import { FLOW_PURGE } from '../modules/flows/flows.jobs.js';
import { User } from '../modules/users/user.entity.js';
import { Job } from '../platform/jobs/job.entity.js';
import { startEmbeddedPostgres } from '../platform/database/embedded-postgres.js';

jest.setTimeout(120_000);

const CERTIFICATE = resolve('test/fixtures/idp-cert.pem');
const OTHER_CERTIFICATE = resolve('test/fixtures/other-idp-cert.pem');
const NEW_PASSWORD = 'Horse-Correct-8';

interface Outcome {
  code: number;
  out: string;
  err: string;
}

const address = () => `${unique('user')}@example.com`;

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

  /** Runs the program with `env` and nothing else of this process's configuration. */
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

  it('does all that it can on the database of DATABASE_URL', async () => {
    const env = { DATABASE_URL: await databaseForWorker() };
    const email = address();
    const domain = `${unique('d')}.example.com`;

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

    const provider = [
      '--entry-point',
      'https://idp.example.com/sso',
      '--issuer',
      'idp',
      '--certificate',
      CERTIFICATE,
      OTHER_CERTIFICATE,
    ];
    expect(await admin(env, ['sso', 'add', domain, ...provider])).toMatchObject({
      code: 0,
      err: '',
      out: `Added the identity provider of ${domain}.\n`,
    });
    const { certificates } = await test.dataSource.manager.findOneByOrFail(SsoDomain, { domain });
    expect(certificates).toHaveLength(2);
    expect((await admin(env, ['sso', 'list'])).out).toMatch(
      new RegExp(`^${domain} .*certificates until \\d{4}-`, 'm'),
    );
    expect(await admin(env, ['sso', 'remove', domain])).toMatchObject({
      code: 0,
      out: `Removed the identity provider of ${domain}.\n`,
    });
    expect((await admin(env, ['instances', 'list'])).out).toContain(email);

    const now = new Date();
    const dates = { dueAt: now, creationDate: now, lastUpdated: now, completedAt: now };
    const job = { id: unique('job'), name: FLOW_PURGE.name, payload: { flowId: 'f' }, attempts: 100 };
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
    expect(await admin(env, ['jobs', 'retry', job.id])).toMatchObject({
      code: 0,
      out: `Queued again: ${job.id}.\n`,
    });
    expect((await admin(env, ['jobs', 'list'])).out).not.toContain(job.id);

    const secret = ['callbacks', 'secret', '575ec8687ae143cd83dc4a97'];
    const keyed = { SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') };
    expect(await admin(keyed, secret)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^whsec_[\w+/]{43}=\n$/),
    });
  });

  it('refuses bad input with one line and exit code 1', async () => {
    const env = { DATABASE_URL: await databaseForWorker() };
    const email = address();
    const before = await test.dataSource.manager.count(User);
    const refused: [args: string[], line: RegExp | string][] = [
      [['user', 'create'], "error: missing required argument 'email'"],
      [['user', 'create', 'ada'], '"ada" is not an e-mail address.'],
      [['user', 'create', email, '--password', 'short'], /^The password must have 12 characters or more/],
      [['user', 'create', email, '--password', PASSWORD, '--password-stdin'], /cannot be used with option/],
      [['user', 'create', email, '--password-stdin'], /^The password must have 12 characters or more/],
      [['user', 'create', email, 'more'], /too many arguments/],
      [['user', 'set-password', email, '--password', PASSWORD], `There is no user ${email}.`],
      [['user', 'delete', email], "error: unknown command 'delete'"],
      [['sso', 'add', 'example.com', '--entry-point', 'x'], /required option .* not specified/],
      [['jobs', 'retry', 'nothing'], /^Not queued: nothing\. Each must have failed/],
      [['callbacks', 'secret', 'x'], 'The id of an application or an instance has 24 hexadecimal digits'],
      [['sso', 'remove', 'nowhere.example.com'], 'nowhere.example.com has no single sign-on.'],
    ];
    for (const [args, line] of refused) {
      const { code, out, err } = await admin(env, args);
      expect({ args, code, out, lines: err.trim().split('\n') }).toEqual({
        args,
        code: 1,
        out: '',
        lines: [expect.stringMatching(line)],
      });
    }
    expect(await test.dataSource.manager.count(User)).toBe(before);
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
  ])('says so in one line of %s', async (_what, env, line) => {
    const { code, err } = await admin(env, ['instances', 'list']);
    expect({ code, lines: err.trim().split('\n') }).toEqual({
      code: 1,
      lines: [expect.stringMatching(line)],
    });
  });

  it('says so in one line of a database without tables', async () => {
    const { code, err } = await admin({ DATABASE_URL: process.env.TEST_POSTGRES_URL! }, ['sso', 'list']);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/^The tables of the database are missing .*\n$/),
    });
  });

  it('brings up the embedded PostgreSQL where there is one, and works beside a platform that runs on it', async () => {
    const env = { DATA_DIR: join(folder, 'var') };
    const email = address();
    const mistyped = await admin(env, ['user', 'create', email, '--password', PASSWORD]);
    expect(mistyped).toEqual({
      code: 1,
      out: '',
      err: `There is no platform in ${env.DATA_DIR}: set DATA_DIR to where it is, or start it there once first.\n`,
    });
    expect(existsSync(env.DATA_DIR)).toBe(false);

    const log = { debug: () => undefined, warn: () => undefined, error: () => undefined };
    await (await startEmbeddedPostgres({ dataDir: env.DATA_DIR, log })).stop();
    const alone = await admin(env, ['user', 'create', email, '--password', PASSWORD]);
    expect(alone).toMatchObject({ code: 0, err: '' });
    expect(alone.out).toMatch(
      /^Administrator admin@example\.com was made with the password {2}\S+\nCreated the user/,
    );

    const platform = await startEmbeddedPostgres({ dataDir: env.DATA_DIR, log });
    try {
      const beside = await admin(env, ['user', 'create', email, '--password', PASSWORD]);
      expect(beside).toEqual({ code: 1, out: '', err: `There is a user ${email} already.\n` });
      expect((await admin(env, ['instances', 'list'])).out).toContain('administrators admin@example.com');
    } finally {
      await platform.stop();
    }
    const again = await admin(env, ['user', 'set-password', email]);
    expect(again).toMatchObject({ code: 0, err: '', out: expect.not.stringContaining('Administrator') });
  });
});
