import { jest } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { DataSource } from 'typeorm';
import { startApp, type TestApp } from '../../test/app.js';
import { PASSWORD, unique } from '../../test/make.js';
import { databaseForWorker } from '../../test/setup/databases.js';
import { SsoDomain } from '../modules/auth/auth.resource.js';
import { InstanceMember } from '../modules/instances/instance.resource.js';
import { Me } from '../modules/me/me.resource.js';
import { startEmbeddedPostgres } from '../platform/database/embedded-postgres.js';
import { listInstances } from './instances.js';
import {
  addSsoProvider,
  certificateWarnings,
  listSsoProviders,
  removeSsoProvider,
  ssoProvider,
} from './sso.js';
import { canonicalEmail, choosePassword, createUser, personName, setPassword } from './users.js';

jest.setTimeout(120_000);

const CERTIFICATE = resolve('test/fixtures/idp-cert.pem');
const OTHER_CERTIFICATE = resolve('test/fixtures/other-idp-cert.pem');
const NEW_PASSWORD = 'Horse-Correct-8';
const EC_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBcDCCARegAwIBAgIULGDRMeEKkW2Vw3QXCZIm8fX6BKgwCgYIKoZIzj0EAwIw
DTELMAkGA1UEAwwCZWMwIBcNMjYxMTIxMDYyMjI4WhgPMjEyNjEwMjgwNjIyMjha
MA0xCzAJBgNVBAMMAmVjMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE3en6u5vC
+nYYqAHZ1KAuZCpT65DphsR74wbHn9gWI4q+FAESTep9wY4+qbYwjD6FJR7r/d4l
Ph/FcUj8KTmkoaNTMFEwHQYDVR0OBBYEFPt1lTy/kV5suIO852sEKqug+3xlMB8G
A1UdIwQYMBaAFPt1lTy/kV5suIO852sEKqug+3xlMA8GA1UdEwEB/wQFMAMBAf8w
CgYIKoZIzj0EAwIDRwAwRAIgIrXW57fSdx0omHqaNQOsfzlnUaT3y34PzzqU0qrE
YR0CIC9vENHvlMMLRQYXvBE+a+AtAI5sNQrnIRm183RzKLGA
-----END CERTIFICATE-----
`;

let test: TestApp;
let dataSource: DataSource;
let folder: string;

beforeAll(async () => {
  test = await startApp();
  ({ dataSource } = test);
  folder = await mkdtemp(join(tmpdir(), 'fieldwright-admin-'));
});

afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true });
});

const address = () => `${unique('user')}@example.com`;
/** Cases with a name that is short enough to read. */
const named = (texts: string[]) => texts.map((text) => [text.slice(0, 20), text] as const);
const signIn = (email: string, password: string) => test.client.post('/auth/user', { email, password });

describe('users', () => {
  it('makes a verified user who signs in', async () => {
    const email = address();
    const userId = await createUser(dataSource, {
      email,
      password: PASSWORD,
      firstName: 'Ada',
      lastName: 'Lovelace',
    });
    const { status, body } = await signIn(email, PASSWORD);
    expect({ status, userId: body.userId }).toEqual({ status: 200, userId });
    const me = await test.client.get('/me', { token: body.token });
    expect(me.body).toMatchObject({
      email,
      emailVerified: true,
      needsToVerifyEmail: false,
      fullName: 'Ada Lovelace',
    });
    expect(await dataSource.manager.existsBy(InstanceMember, { userId })).toBe(false);
  });

  it('makes an administrator of the instance', async () => {
    const email = address();
    const userId = await createUser(dataSource, { email, password: PASSWORD, instanceAdmin: true });
    expect(await dataSource.manager.findBy(InstanceMember, { userId })).toMatchObject([{ role: 'admin' }]);
    const [instance] = await listInstances(dataSource);
    expect(instance).toMatchObject({ name: 'Fieldwright', admins: expect.arrayContaining([email]) });
  });

  it('refuses an address that is taken and leaves the user alone', async () => {
    const email = address();
    await createUser(dataSource, { email, password: PASSWORD });
    await expect(createUser(dataSource, { email, password: NEW_PASSWORD })).rejects.toThrow(
      `There is a user ${email} already.`,
    );
    expect((await signIn(email, PASSWORD)).status).toBe(200);
  });

  it('makes nothing when it cannot do all', async () => {
    const email = address();
    await dataSource.query('ALTER TABLE instance_members RENAME TO elsewhere');
    try {
      await expect(
        createUser(dataSource, { email, password: PASSWORD, instanceAdmin: true }),
      ).rejects.toThrow('instance_members');
    } finally {
      await dataSource.query('ALTER TABLE elsewhere RENAME TO instance_members');
    }
    expect(await dataSource.manager.existsBy(Me, { email })).toBe(false);
  });

  it('sets a password and ends the tokens that exist', async () => {
    const email = address();
    await createUser(dataSource, { email, password: PASSWORD });
    const before = await signIn(email, PASSWORD);
    await setPassword(dataSource, email, NEW_PASSWORD);
    expect((await test.client.get('/me', { token: before.body.token })).status).toBe(401);
    expect((await signIn(email, PASSWORD)).status).toBe(401);
    const after = await signIn(email, NEW_PASSWORD);
    expect((await test.client.get('/me', { token: after.body.token })).status).toBe(200);
  });

  it('sets no password of an unknown user', async () => {
    const email = address();
    await expect(setPassword(dataSource, email, PASSWORD)).rejects.toThrow(`There is no user ${email}.`);
  });

  it.each(
    named([
      'ada',
      'ada@',
      '@example.com',
      'ada@localhost',
      'a da@example.com',
      '',
      `${'a'.repeat(1024)}@example.com`,
    ]),
  )('refuses the address "%s"', (_name, text) =>
    expect(() => canonicalEmail(text)).toThrow('is not an e-mail address.'),
  );

  it('knows an address in upper or lower case', () => {
    expect(canonicalEmail('Ada.Lovelace@Example.COM')).toBe('ada.lovelace@example.com');
  });

  it.each(
    named([
      'Short-1',
      'no-upper-case-1',
      'NO-LOWER-CASE-1',
      'No-Digit-At-All',
      'NoSymbolAtAll1',
      '',
      `${'Aa1-'.repeat(512)}x`,
    ]),
  )('refuses the password "%s"', (_name, text) =>
    expect(() => choosePassword(text)).toThrow('The password must have 12 characters or more'),
  );

  it('makes a password that it takes itself, a different one each time', () => {
    const made = choosePassword(undefined);
    expect(made.made).toBe(true);
    expect(choosePassword(made.text)).toEqual({ text: made.text, made: false });
    expect(choosePassword(undefined).text).not.toBe(made.text);
  });

  it('refuses a name that the API would refuse', () => {
    expect(() => personName('')).toThrow('A name must have 1 to 1024 characters.');
    expect(() => personName('x'.repeat(1025))).toThrow('A name must have');
    expect(personName('Ada')).toBe('Ada');
    expect(personName(undefined)).toBeUndefined();
  });
});

describe('single sign-on', () => {
  const settings = {
    entryPoint: 'https://idp.example.com/sso',
    issuer: 'https://idp.example.com',
    certificateFiles: [CERTIFICATE],
  };
  const domainOf = () => `${unique('d')}.example.com`;

  it('sends the users of a domain to its provider until that is removed', async () => {
    const domain = domainOf();
    const ask = () => test.client.get(`/auth/ssoDomain?email=ada@${domain}`);
    expect((await ask()).status).toBe(204);
    expect(await addSsoProvider(dataSource, ssoProvider(domain.toUpperCase(), settings))).toEqual({
      replaced: false,
    });
    expect((await ask()).body.ssoRequest).toContain('https://idp.example.com/sso?SAMLRequest=');
    expect(await removeSsoProvider(dataSource, domain)).toBe(0);
    expect((await ask()).status).toBe(204);
    await expect(removeSsoProvider(dataSource, domain)).rejects.toThrow(`${domain} has no single sign-on.`);
  });

  it('replaces the provider of a domain', async () => {
    const domain = domainOf();
    await addSsoProvider(
      dataSource,
      ssoProvider(domain, { ...settings, acsUrl: 'http://localhost:3000/auth/user/saml' }),
    );
    const change = { ...settings, issuer: 'another', certificateFiles: [CERTIFICATE, OTHER_CERTIFICATE] };
    expect(await addSsoProvider(dataSource, ssoProvider(domain, change))).toEqual({ replaced: true });
    const listed = (await listSsoProviders(dataSource)).filter((provider) => provider.domain === domain);
    expect(listed).toMatchObject([{ issuer: 'another', acsUrl: null, certificates: { length: 2 } }]);
  });

  it('gives no password to users of a provider, and lets them have one when it is removed', async () => {
    const domain = domainOf();
    const email = `ada@${domain}`;
    const id = await createUser(dataSource, { email, password: PASSWORD });
    await dataSource.manager.update(Me, { id }, { ssoLinked: true });
    await addSsoProvider(dataSource, ssoProvider(domain, settings));
    await expect(setPassword(dataSource, email, NEW_PASSWORD)).rejects.toThrow(
      'signs in through the identity provider',
    );
    expect((await signIn(email, NEW_PASSWORD)).status).toBe(401);
    expect(await removeSsoProvider(dataSource, domain)).toBe(1);
    await setPassword(dataSource, email, NEW_PASSWORD);
    expect((await signIn(email, NEW_PASSWORD)).status).toBe(200);
  });

  it.each([
    'example',
    '-a.com',
    'a..com',
    'exa_mple.com',
    'ada@example.com',
    'https://example.com',
    'ex ample.com',
    `${'a'.repeat(42)}.com`,
    '',
  ])('refuses the domain %s', (domain) =>
    expect(() => ssoProvider(domain, settings)).toThrow('is not an e-mail domain'),
  );

  it.each([
    [
      { entryPoint: 'ftp://idp.example.com' },
      'The entry point "ftp://idp.example.com" is not an http or https URL.',
    ],
    [{ entryPoint: 'idp.example.com' }, 'is not an http or https URL.'],
    [{ acsUrl: 'javascript:alert(1)' }, 'The ACS URL "javascript:alert(1)" is not an http or https URL.'],
    [{ issuer: ' ' }, 'The issuer must not be blank.'],
    [{ certificateFiles: ['missing.pem'] }, 'missing.pem cannot be read: ENOENT.'],
    [
      { certificateFiles: [resolve('test/fixtures/idp-key.pem')] },
      'must hold one certificate in PEM, and holds none.',
    ],
  ])('refuses %j', (change, message) => {
    expect(() => ssoProvider('example.com', { ...settings, ...change })).toThrow(message);
  });

  it.each([
    ['two certificates', EC_CERTIFICATE.repeat(2), 'must hold one certificate in PEM, and holds 2.'],
    ['a broken certificate', EC_CERTIFICATE.replace('MIIB', 'MIIC'), 'is not an X.509 certificate.'],
    [
      'a key that signs no SAML here',
      EC_CERTIFICATE,
      'is for a key of type ec; only RSA signatures are accepted.',
    ],
  ])('refuses a file with %s', async (_what, content, message) => {
    const file = join(folder, 'given.pem');
    await writeFile(file, content);
    expect(() => ssoProvider('example.com', { ...settings, certificateFiles: [CERTIFICATE, file] })).toThrow(
      message,
    );
  });

  it('warns of a certificate that is not valid at the time', () => {
    const provider = ssoProvider('example.com', settings);
    expect(certificateWarnings(provider)).toEqual([]);
    expect(certificateWarnings(provider, new Date('2200-01-01'))).toEqual([
      expect.stringContaining('has expired'),
    ]);
    expect(certificateWarnings(provider, new Date('2000-01-01'))).toEqual([
      expect.stringContaining('is not valid yet'),
    ]);
  });
});

describe('the command line', () => {
  interface Outcome {
    code: number;
    out: string;
    err: string;
  }
  let compiled: string;

  beforeAll(async () => {
    await mkdir('dist', { recursive: true });
    compiled = await mkdtemp(resolve('dist', 'admin-test-'));
    const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
    const args = ['-p', 'tsconfig.build.json', '--noCheck', '--incremental', 'false', '--outDir', compiled];
    await promisify(execFile)(process.execPath, [compiler, ...args]);
  });

  afterAll(() => rm(compiled, { recursive: true }));

  /** Runs the program with `env` and nothing else of this process's configuration. */
  function admin(env: Record<string, string>, args: string[], input = ''): Promise<Outcome> {
    return new Promise((done) => {
      const program = join(compiled, 'src/cli/admin.js');
      const options = { env: { PATH: process.env.PATH, ...env }, cwd: folder };
      const child = execFile(process.execPath, [program, ...args], options, (error, out, err) =>
        done({ code: error ? Number(error.code) : 0, out, err }),
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
    const { certificates } = await dataSource.manager.findOneByOrFail(SsoDomain, { domain });
    expect(certificates).toHaveLength(2);
    expect((await admin(env, ['sso', 'list'])).out).toMatch(
      new RegExp(`^${domain} .*certificates until \\d{4}-`, 'm'),
    );
    expect(await admin(env, ['sso', 'remove', domain])).toMatchObject({
      code: 0,
      out: `Removed the identity provider of ${domain}.\n`,
    });
    expect((await admin(env, ['instances', 'list'])).out).toContain(email);
  });

  it('refuses bad input with one line and exit code 1', async () => {
    const env = { DATABASE_URL: await databaseForWorker() };
    const email = address();
    const before = await dataSource.manager.count(Me);
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
    expect(await dataSource.manager.count(Me)).toBe(before);
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

  it('brings up the embedded PostgreSQL, and works beside a platform that runs on it', async () => {
    const env = { DATA_DIR: join(folder, 'var') };
    const email = address();
    const alone = await admin(env, ['user', 'create', email, '--password', PASSWORD]);
    expect(alone).toMatchObject({ code: 0, err: '' });
    expect(alone.out).toMatch(
      /^Administrator admin@example\.com was made with the password {2}\S+\nCreated the user/,
    );

    const log = { debug: () => undefined, warn: () => undefined, error: () => undefined };
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
