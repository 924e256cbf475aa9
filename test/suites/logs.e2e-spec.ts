import type { OpenAPIObject } from '@nestjs/swagger';
import { Writable } from 'node:stream';
import { documentText } from '../../src/openapi/emit.js';
import { createLogger } from '../../src/platform/server/log.js';
import { placesOf } from './hostile/bodies.js';
import { filled, targetsOf, type Target } from './hostile/operations.js';
import { Schemas } from './hostile/schemas.js';
import { makeUser, PASSWORD, tokenOf, uniqueName, type TestUser } from '../make/make.js';
import { Samples } from '../contract/samples.js';
import { suite } from '../setup/suite.js';

interface Line {
  actorType?: string;
  actorId?: string;
  requestId?: string;
  method?: string;
  path?: string;
  status?: number;
}

/** Properties of bodies that contain secrets. */
const SECRET = /password|secret|token$|^twoFactor|SAMLResponse|keyJson|accountKey|accessKeyId|privateKey/i;
/** Returns a value that must not appear in logs or errors and that is a valid password. */
const canary = (): string => `${uniqueName('Canary')}-Aa1`;

const declared = JSON.parse(await documentText()) as OpenAPIObject;
const targets = targetsOf(declared);

const { test } = suite({ LOG_LEVEL: 'trace', CODEHOST_API_URL: 'http://127.0.0.1:9' });
let user: TestUser;
let samples: Samples;

beforeAll(async () => {
  user = await makeUser(test);
  samples = new Samples(test, user);
});

const logged = (): string => test.log.join('');
const lines = (): Line[] => test.log.flatMap((chunk) => chunk.split('\n').filter(Boolean).map(parsed));
const parsed = (line: string): Line => JSON.parse(line) as Line;

/** Returns the log line of a request, which is written when the connection has finished the response. */
async function lineOf(requestId: string): Promise<Line> {
  for (;;) {
    const found = lines().filter((line) => line.requestId === requestId && line.status !== undefined);
    if (found.length) {
      expect(found).toHaveLength(1);
      return found[0]!;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('A secret in a request body', () => {
  const places = targets.flatMap((target) =>
    secretPlaces(target).map((at) => ({ name: `${target.id} ${at}`, target, at })),
  );

  it('exists in several operations', () => {
    const names = places.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'auth.authenticateUser body.password',
        'auth.authenticateUser body.twoFactorCode',
        'auth.authenticateUserCodehost body.accessToken',
        'auth.authenticateUserSaml body.SAMLResponse',
        'me.patch body.currentCredentials.password',
        'me.changePassword body.newPassword',
        'me.enableTwoFactorAuth body.twoFactorCode',
        'applications.post body.archiveConfig.s3.secretAccessKey',
        'application.patch body.archiveConfig.gcs.keyJson',
      ]),
    );
  });

  it.each(places)('is not in logs or errors: $name', async ({ target, at }) => {
    const schemas = new Schemas(test.document);
    const { put } = placesOf(target.body!, schemas.sample(target.body!), schemas).find(
      (place) => place.at === at,
    )!;
    const secret = canary();
    const path = filled(target.path, await samples.idsOf(target.path));
    const wrong = [secret, { [uniqueName('a')]: secret }, [secret], secret.repeat(4_000)];
    for (const value of wrong) {
      const answer = await test.client.request(target.method, path, { body: put(value), token: user.token });
      if (answer.status >= 400) expect(JSON.stringify(answer.body)).not.toContain(secret);
      await lineOf(answer.headers.get('x-request-id')!);
    }
    expect(logged()).not.toContain(secret);
  });

  function secretPlaces(target: Target): string[] {
    if (!target.body) return [];
    const schemas = new Schemas(declared);
    const sample = schemas.sample(target.body);
    return placesOf(target.body, sample, schemas)
      .filter(({ at, schema }) => schema.type === 'string' && SECRET.test(at.split('.').at(-1)!))
      .map(({ at }) => at);
  }
});

describe('Credentials', () => {
  it('are not in logs: passwords and tokens', async () => {
    const { client } = test;
    const signedIn = await client.post('/auth/user', { email: user.email, password: PASSWORD });
    const made = await client.post(
      '/me/tokens',
      { name: 'a', scope: ['all.User.read'] },
      { token: user.token },
    );
    const fresh = await client.get('/me/refreshToken', { token: user.token });
    const factor = await client.patch('/me/generateTwoFactorAuth', undefined, { token: user.token });
    const answers = [signedIn, made, fresh, factor];
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 200, 200]);
    for (const { headers } of answers) await lineOf(headers.get('x-request-id')!);
    const secrets = [
      PASSWORD,
      user.token,
      signedIn.body.token,
      made.body.token,
      fresh.body.token,
      factor.body.key,
    ];
    for (const secret of secrets) expect(logged()).not.toContain(secret);
  });

  it('are not in logs or errors: rejected credentials', async () => {
    const secret = canary();
    const { client } = test;
    const answers = [
      await client.get('/me', { token: secret }),
      await client.get('/me', { headers: { authorization: `Basic ${secret}` } }),
      await client.get(`/me?access_token=${secret}`, { headers: { cookie: `token=${secret}` } }),
      await client.get('/me', { token: tokenOf(test, user.id, ['all.User'], -10) }),
      await client.post('/auth/user', `{"email":"a@example.com","password":"${secret}"`),
      await client.post('/auth/user', `{"email":"a@example.com","password":"\\u0000${secret}"}`),
      await client.post('/auth/user', `password=${secret}`, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 400, 400, 415]);
    for (const { headers, body } of answers) {
      expect(JSON.stringify(body)).not.toContain(secret);
      await lineOf(headers.get('x-request-id')!);
    }
    expect(logged()).not.toContain(secret);
  });

  it('are not in logs: an email address in the query', async () => {
    const person = uniqueName('person');
    for (const email of [`${person}@example.com`, `${person}\0@example.com`, person]) {
      const answer = await test.client.get(`/auth/ssoDomain?email=${encodeURIComponent(email)}`);
      expect(JSON.stringify(answer.body)).not.toContain(person);
      const line = await lineOf(answer.headers.get('x-request-id')!);
      expect(line.path).toBe('/auth/ssoDomain');
    }
    expect(logged()).not.toContain(person);
  });

  it('are not in logs: parameters of a failed statement', () => {
    const written: string[] = [];
    const destination = new Writable({
      write(chunk: Buffer, _encoding, done) {
        written.push(chunk.toString());
        done();
      },
    });
    const secret = canary();
    const error = Object.assign(new Error('no such table'), {
      code: '42P01',
      query: `INSERT INTO users VALUES ('${secret}')`,
      parameters: [secret],
      driverError: { detail: secret },
    });
    createLogger({ level: 'info', destination }).error({
      err: error,
      password: secret,
      body: { token: secret },
    });
    expect(written.join('')).toContain('no such table');
    expect(written.join('')).toContain('42P01');
    expect(written.join('')).not.toContain(secret);
  });
});

describe('The log line of a request', () => {
  const lineAs = async (token?: string): Promise<Line> =>
    lineOf((await test.client.get('/me', { token })).headers.get('x-request-id')!);

  it('names the user who signed in', async () => {
    expect(await lineAs(user.token)).toMatchObject({ actorType: 'user', actorId: user.id });
  });

  it('names the API token', async () => {
    const body = { name: 'a', scope: ['me.get'] };
    const { body: made } = await test.client.post('/me/tokens', body, { token: user.token });
    expect(await lineAs(made.token)).toMatchObject({ actorType: 'apiToken', actorId: made.id });
  });

  it('names nobody without a valid token', async () => {
    expect(await lineAs()).not.toHaveProperty('actorId');
  });
});

describe('The ID of a request', () => {
  it('is in its response and its log line', async () => {
    for (const [method, path, status] of [
      ['GET', '/me', 200],
      ['GET', '/applications/x?filter=a', 400],
      ['DELETE', '/me', 405],
      ['GET', '/nowhere', 404],
      ['GET', '/health', 200],
    ] as const) {
      const { headers, ...answer } = await test.client.request(method, path, { token: user.token });
      expect(answer.status).toBe(status);
      const line = await lineOf(headers.get('x-request-id')!);
      expect(line).toMatchObject({ method, path: path.split('?')[0], status });
    }
  });

  it.each(['a', 'trace-1_B', 'a'.repeat(64)])('is the ID that the caller sends: %s', async (id) => {
    const { headers } = await test.client.get('/health', { headers: { 'x-request-id': id } });
    expect(headers.get('x-request-id')).toBe(id);
  });

  it.each(['', 'a'.repeat(65), 'a b', '{"a":1}', '<b>', 'a;b', 'ü', '../a'])(
    "is replaced if the caller's ID has unsafe characters: %s",
    async (id) => {
      const { headers } = await test.client.get('/health', { headers: { 'x-request-id': id } });
      expect(headers.get('x-request-id')).toMatch(/^[\w-]{21}$/);
    },
  );

  it('is unique', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => test.client.get('/health')));
    expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(50);
  });
});

it('the log has one JSON object per line', () => {
  expect(lines().length).toBeGreaterThan(100);
  for (const line of lines())
    expect(line).toMatchObject({ time: expect.any(String), level: expect.any(Number) });
});
