import qs from 'qs';
import { documentText } from '../../src/openapi/emit.js';
import { ChangedRows } from './changed-rows.js';
import { attacksOn, requestOf } from './hostile/attacks.js';
import { bodyAttacks } from './hostile/bodies.js';
import { targetsOf } from './hostile/operations.js';
import { Schemas } from './hostile/schemas.js';
import { Sender } from './hostile/send.js';
import { faultOf } from './hostile/verdict.js';
import { inBatches } from '../setup/in-batches.js';
import { makeUser, uniqueName } from '../make/make.js';
import { Samples } from '../contract/samples.js';
import { timeouts, sample, selected } from '../setup/selection.js';
import { suite } from '../setup/suite.js';

const targets = targetsOf(JSON.parse(await documentText()));
/** Number of attacks of each kind per operation in a partial run. */
const PER_KIND = 20;

// No worker: its jobs would change rows during the tests.
const { test } = suite(
  { LOG_LEVEL: 'error', CODEHOST_API_URL: 'http://127.0.0.1:9', PROCESS_ROLE: 'api' },
  { database: 'own' },
);
let changed: ChangedRows;
let sender: Sender;
let schemas: Schemas;
let token: string;
let samples: Samples;

beforeAll(async () => {
  changed = await ChangedRows.of(test.dataSource);
  sender = new Sender(test.client.url);
  schemas = new Schemas(test.document);
  const user = await makeUser(test);
  ({ token } = user);
  samples = new Samples(test, user);
});

afterAll(() => {
  sender.close();
});

describe.each(
  selected(targets).map((target) => ({ name: `${target.id}: ${target.method} ${target.path}`, target })),
)('$name', ({ target }) => {
  it('rejects hostile requests and changes nothing', async () => {
    const ids = await samples.idsOf(target.path);
    const attacks = attacksOn(target, ids, { schemas, token }).flatMap((kind) =>
      sample(target.id, kind.attacks, PER_KIND),
    );
    await changed.take();
    const faults = await inBatches(attacks, async (attack) => {
      const answer = await sender.send(requestOf(target, attack, ids, { schemas, token }));
      const fault = faultOf(answer, attack.expected);
      return fault && `${attack.title}: ${fault}`;
    });
    expect(faults).toEqual([]);
    expect(await changed.take()).toEqual([]);
    expect(attacks.length).toBeGreaterThan(10);
  });
});

describe('every operation', () => {
  it(
    'answers HEAD as GET without a body, and requires a token',
    async () => {
      for (const target of selected(targets).filter(({ method, open }) => method === 'GET' && !open)) {
        const { path } = await samples.requestFor(target);
        const headers = { authorization: `Bearer ${token}` };
        expect(await sender.send({ method: 'HEAD', path })).toMatchObject({ status: 401, text: '' });
        // A bundle that is not compiled yet is taken on.
        const status = target.id === 'embeddedDeployments.bundle' ? 202 : target.status;
        expect(await sender.send({ method: 'HEAD', path, headers })).toMatchObject({ status, text: '' });
      }
    },
    timeouts(targets),
  );

  it(
    'accepts structured parameters as brackets or JSON, and booleans in any letter case',
    async () => {
      for (const target of selected(targets).filter(({ method, open }) => method === 'GET' && !open)) {
        const { path } = await samples.requestFor(target);
        const headers = { authorization: `Bearer ${token}` };
        const answered = async (query: object) => {
          const asked = `${path}${path.includes('?') ? '&' : '?'}${qs.stringify(query)}`;
          const { status, text } = await sender.send({ method: 'GET', path: asked, headers });
          return { query, status, text };
        };
        for (const { name, schema, example, isJson } of target.query) {
          const forms =
            isJson && name !== 'query'
              ? [JSON.stringify(example), example]
              : schema.type === 'boolean'
                ? ['true', 'True']
                : [];
          const answers = await Promise.all(forms.map((form) => answered({ [name]: form })));
          expect(answers).toMatchObject(forms.map(() => ({ status: 200 })));
          expect(answers[1]?.text).toBe(answers[0]?.text);
        }
      }
    },
    timeouts(targets),
  );

  it('accepts unusual but valid requests', async () => {
    const headers = { authorization: `bearer ${token}` };
    const get = (path: string) => sender.send({ method: 'GET', path, headers });
    expect(await get('/applications?unknown[$ne]=%00&_links=1&page=&perPage=')).toMatchObject({
      status: 200,
    });
    expect(await get('/applications?filter=%2a%3f%5c')).toMatchObject({ status: 200 });
  });
});

describe('the HTTP server', () => {
  it.each([
    [
      'a header of 100 kB',
      `GET /me HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${'a'.repeat(100_000)}\r\n\r\n`,
      431,
    ],
    ['a request that is none', 'nonsense\r\n\r\n', 400],
    [
      'two lengths',
      'POST /auth/user HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
      400,
    ],
    [
      'a length and chunks',
      'POST /auth/user HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a NUL in a header', 'GET /me HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \0\r\n\r\n', 400],
    ['a NUL in the path', 'GET /me\0 HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  ])('rejects %s with an Error', async (_title, text, status) => {
    const answer = await sender.sendText(text);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const headers = { 'x-request-id': /^x-request-id: (.+)$/im.exec(head)?.[1] };
    expect(faultOf({ status, headers, text: body }, [status])).toBeUndefined();
  });

  it('uses the first of two Authorization headers', async () => {
    const headers = { authorization: ['Bearer x', `Bearer ${token}`] };
    const lines = headers.authorization.map((value) => `Authorization: ${value}\r\n`).join('');
    const answer = await sender.sendText(`GET /me HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${lines}\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 401 /);
  });
});

describe('the suite itself', () => {
  const error = { type: 'Validation', message: 'name is required' };
  const answered = (status: number, body: unknown, headers = { 'x-request-id': 'a' }) => ({
    status,
    headers,
    text: typeof body === 'string' ? body : JSON.stringify(body),
  });

  it('accepts a valid error response', () => {
    expect(faultOf(answered(400, error), [400])).toBeUndefined();
    expect(faultOf(answered(200, {}), 'survived')).toBeUndefined();
  });

  it.each([
    ['a fault of the server', answered(500, error), 'a fault of the server'],
    ['success', answered(201, {}), 'let through'],
    ['another status', answered(404, error), 'not 400'],
    ['one property too many', answered(400, { ...error, stack: '' }), 'not an Error'],
    ['a body of Nest', answered(400, { statusCode: 400, message: 'Bad Request' }), 'not an Error'],
    ['no JSON', answered(400, '<html>'), 'not an Error'],
    ['a stack', answered(400, { ...error, message: 'x at run (/a/b.js:1:2)' }), 'tells of the inside'],
    ['no id', answered(400, error, {} as never), 'no X-Request-Id'],
  ])('detects %s', (_title, answer, fault) => {
    expect(faultOf(answer, [400])).toContain(fault);
  });

  it('detects a changed row', async () => {
    await changed.take();
    await test.client.patch('/me', { title: uniqueName() }, { token });
    expect(await changed.take()).toEqual(['users']);
    expect(await changed.take()).toEqual([]);
  });

  it('attacks nested properties, and does not attack with valid values', () => {
    const target = targets.find(({ id }) => id === 'applications.post')!;
    const titles = bodyAttacks(target, schemas).map(({ title }) => title);
    expect(titles).toContain('body.archiveConfig.s3.bucket is null');
    expect(titles).toContain('body.globals[0].__proto__ is null');
    expect(titles).toContain('body.name is 0');
    expect(titles).not.toContain('body.name is "text"');
    expect(new Set(titles).size).toBeGreaterThan(500);
  });
});
