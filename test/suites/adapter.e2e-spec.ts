import { Controller, Get, Module, Post, UploadedFile, UseInterceptors } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, FileInterceptor, type NestExpressApplication } from '@nestjs/platform-express';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { operationsOf } from '../../src/openapi/operations.js';
import { FastExpressAdapter } from '../../src/platform/server/fast-express.adapter.js';
import { startApp, type TestApp } from '../setup/app.js';
import { Sender, type RawAnswer, type RawRequest } from './hostile/send.js';
import { makeApplication, makeUser } from '../make/make.js';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const TOKEN_PRIVATE_KEY = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

const apps: TestApp[] = [];
const senders: Sender[] = [];
let token: string;
let id: string;

beforeAll(async () => {
  for (const HTTP_FAST_PATH of ['true', 'false']) {
    const app = await startApp({ HTTP_FAST_PATH, TOKEN_PRIVATE_KEY });
    apps.push(app);
    senders.push(new Sender(app.client.url));
  }
  ({ token } = await makeUser(apps[0]!));
  ({ id } = await makeApplication(apps[0]!, token));
});

afterAll(async () => {
  for (const sender of senders) sender.close();
  for (const app of apps) await app.close();
});

/** Removes values that differ between responses: IDs, times, tokens, ports, remaining rate limits. */
function comparable(text: string): string {
  return text
    .replace(/\b[0-9a-f]{24}\b/g, 'ID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'TOKEN')
    .replace(/^date: .*$/gim, 'date: TIME')
    .replace(/^x-request-id: .*$/gim, 'x-request-id: ID')
    .replace(/^(ratelimit-re\w+): .*$/gim, '$1: NUMBER');
}

function comparableAnswer({ status, headers, text }: RawAnswer): object {
  const { date, 'x-request-id': requestId, ...rest } = headers;
  expect([typeof date, typeof requestId]).toEqual(['string', 'string']);
  for (const name of ['ratelimit-remaining', 'ratelimit-reset'])
    if (rest[name] !== undefined) rest[name] = String(Number.isInteger(Number(rest[name])));
  return { status, headers: rest, text: comparable(text) };
}

/** Sends the request to both platforms, checks that the responses are equal, and returns one. */
async function both(asked: RawRequest): Promise<RawAnswer> {
  const [fast, plain] = [await senders[0]!.send(asked), await senders[1]!.send(asked)];
  expect(comparableAnswer(fast)).toEqual(comparableAnswer(plain));
  return fast;
}

const withToken = () => ({ authorization: `Bearer ${token}` });
const json = (body: unknown) => ({
  headers: { ...withToken(), 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

describe('identical responses with and without the fast path', () => {
  it.each<[string, () => RawRequest, number]>([
    ['a resource', () => ({ method: 'GET', path: `/applications/${id}`, headers: withToken() }), 200],
    [
      'a list',
      () => ({ method: 'GET', path: '/applications?perPage=10&filter=*', headers: withToken() }),
      200,
    ],
    ['yourself', () => ({ method: 'GET', path: '/me', headers: withToken() }), 200],
    ['an empty answer', () => ({ method: 'GET', path: '/auth/ssoDomain?email=a%40example.com' }), 204],
    ['nobody', () => ({ method: 'GET', path: '/me' }), 401],
    [
      'nothing',
      () => ({ method: 'GET', path: '/applications/575ec8687ae143cd83dc4a97', headers: withToken() }),
      404,
    ],
    ['no path', () => ({ method: 'GET', path: '/nowhere' }), 404],
    ['a wrong verb', () => ({ method: 'PUT', path: '/me' }), 405],
    ['a bad encoding', () => ({ method: 'GET', path: '/applications/%zz', headers: withToken() }), 400],
    ['OPTIONS', () => ({ method: 'OPTIONS', path: '/me' }), 405],
    [
      'a page of another origin',
      () => ({ method: 'GET', path: '/me', headers: { ...withToken(), origin: 'https://a.example' } }),
      200,
    ],
    [
      'a preflight',
      () => ({
        method: 'OPTIONS',
        path: '/me',
        headers: { origin: 'https://a.example', 'access-control-request-method': 'GET' },
      }),
      204,
    ],
    ['HEAD', () => ({ method: 'HEAD', path: `/applications/${id}`, headers: withToken() }), 200],
    ['HEAD of a list', () => ({ method: 'HEAD', path: '/applications', headers: withToken() }), 200],
    ['HEAD of nothing', () => ({ method: 'HEAD', path: '/nowhere' }), 404],
    ['a probe', () => ({ method: 'GET', path: '/health' }), 200],
    ['the document', () => ({ method: 'GET', path: '/openapi.json' }), 200],
    ['the document as YAML', () => ({ method: 'GET', path: '/openapi.yaml' }), 200],
    ['the first page', () => ({ method: 'GET', path: '/' }), 302],
    ['the Swagger UI', () => ({ method: 'GET', path: '/docs/' }), 200],
    ['its address without a slash', () => ({ method: 'GET', path: '/docs' }), 302],
    ['its script', () => ({ method: 'GET', path: '/docs/swagger-ui-bundle.js' }), 200],
    ['its style', () => ({ method: 'GET', path: '/docs/swagger-ui.css' }), 200],
    ['its start', () => ({ method: 'GET', path: '/docs/page.js' }), 200],
    ['POST', () => ({ method: 'POST', path: '/applications', ...json({ name: 'Ærø 💧' }) }), 201],
    ['PATCH', () => ({ method: 'PATCH', path: `/applications/${id}`, ...json({ name: 'other' }) }), 200],
    [
      'an unknown property',
      () => ({ method: 'POST', path: '/applications', ...json({ name: 'a', b: 1 }) }),
      400,
    ],
    ['no JSON', () => ({ method: 'POST', path: '/applications', ...json('{"name":') }), 400],
    [
      'a large body',
      () => ({ method: 'POST', path: '/applications', ...json({ name: 'a'.repeat(2 ** 21) }) }),
      413,
    ],
    [
      'a form',
      () => ({
        method: 'POST',
        path: '/applications',
        headers: { ...withToken(), 'content-type': 'application/x-www-form-urlencoded' },
        body: 'name=a',
      }),
      415,
    ],
    [
      'a deletion of nothing',
      () => ({ method: 'DELETE', path: '/orgs/575ec8687ae143cd83dc4a97', headers: withToken() }),
      404,
    ],
  ])('%s', async (_title, asked, status) => {
    expect(await both(asked())).toMatchObject({ status });
  });

  it('a relative redirect from the root to the Swagger UI', async () => {
    expect((await both({ method: 'GET', path: '/' })).headers).toMatchObject({ location: 'docs/' });
  });

  it.each(['/openapi.json', '/openapi.yaml', '/docs/openapi.json'])(
    '%s, requested repeatedly',
    async (path) => {
      const first = await both({ method: 'GET', path });
      expect(first.text.length).toBeGreaterThan(100_000);
      expect(comparableAnswer(await both({ method: 'GET', path }))).toEqual(comparableAnswer(first));
      expect(comparableAnswer(await both({ method: 'HEAD', path }))).toEqual({
        ...comparableAnswer(first),
        text: '',
      });
    },
  );

  it('every path of the document, with declared and undeclared verbs, unusual spellings, and no token', async () => {
    const operations = operationsOf(apps[0]!.document);
    expect(operations.length).toBeGreaterThan(100);
    for (const { method, path } of operations) {
      const usual = path.replace(/\{\w+\}/g, id);
      const verb = method.toUpperCase();
      await both({ method: verb, path: usual });
      await both({ method: verb, path: `${usual.toUpperCase()}/?page=x` });
      await both({ method: verb, path: path.replace(/\{\w+\}/g, '%zz') });
      await both({ method: verb, path: `${usual}//` });
      await both({ method: 'PUT', path: usual });
    }
  }, 120_000);

  it('sequential and pipelined requests on a kept-alive connection', async () => {
    const get = (path: string, last = false) =>
      `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n${last ? 'Connection: close\r\n' : ''}\r\n`;
    const body = JSON.stringify({ title: 'Engineer' });
    await apps[0]!.client.patch('/me', body, { token });
    const patch = `PATCH /me HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const text = get('/me') + patch + get('/nowhere') + get(`/applications/${id}`, true);
    const [fast, plain] = [await senders[0]!.sendText(text), await senders[1]!.sendText(text)];
    expect(comparable(fast)).toBe(comparable(plain));
    expect([...fast.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      '200',
      '200',
      '404',
      '200',
    ]);
  });

  it('a chunked request', async () => {
    const head = `POST /applications HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
    const text = `${head}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n8\r\n{"name":\r\n4\r\n"a"}\r\n0\r\n\r\n`;
    const [fast, plain] = [await senders[0]!.sendText(text), await senders[1]!.sendText(text)];
    expect(comparable(fast)).toBe(comparable(plain));
    expect(fast).toMatch(/^HTTP\/1\.1 201 /);
  });
});

describe('identical behavior of a NestJS application with and without the fast path', () => {
  @Controller()
  class UploadController {
    @Post('upload')
    @UseInterceptors(FileInterceptor('file', { limits: { fileSize: 1_000 } }))
    upload(@UploadedFile() file?: { originalname: string; size: number; buffer: Buffer }): object {
      return { name: file?.originalname, size: file?.size, text: file?.buffer.toString() };
    }

    @Get('text')
    text(): string {
      return 'plain';
    }

    @Get('nothing')
    nothing(): void {}

    @Get('failing')
    failing(): never {
      throw new Error('no');
    }
  }

  @Module({ controllers: [UploadController] })
  class UploadModule {}

  const started: NestExpressApplication[] = [];

  async function start(https: boolean): Promise<string[]> {
    const urls: string[] = [];
    for (const adapter of [new FastExpressAdapter(), new ExpressAdapter()]) {
      const app = await NestFactory.create<NestExpressApplication>(UploadModule, adapter, {
        logger: false,
        forceCloseConnections: true,
        ...(https ? { httpsOptions: { key: fixture('idp-key.pem'), cert: fixture('idp-cert.pem') } } : {}),
      });
      await app.listen(0, '127.0.0.1');
      started.push(app);
      urls.push((await app.getUrl()).replace('[::1]', '127.0.0.1'));
    }
    return urls;
  }

  const fixture = (name: string): string =>
    readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8');

  afterEach(async () => {
    for (const app of started.splice(0)) await app.close();
  });

  it('accepts uploads and rejects files that are too large', async () => {
    const found = await Promise.all(
      (await start(false)).map(async (url) => {
        const small = await upload(url, 'abc');
        const large = await upload(url, 'a'.repeat(2_000));
        const others = await Promise.all(
          ['text', 'nothing', 'failing', 'nowhere'].map((path) => fetch(`${url}/${path}`)),
        );
        const rest = await Promise.all(
          others.map(async (answer) => [
            answer.status,
            answer.headers.get('content-type'),
            await answer.text(),
          ]),
        );
        return { small, large, rest };
      }),
    );
    expect(found[0]).toEqual(found[1]);
    expect(found[0]!.small).toEqual({ status: 201, body: { name: 'a.txt', size: 3, text: 'abc' } });
    expect(found[0]!.large).toMatchObject({ status: 413 });
    expect(found[0]!.rest.map(([status]) => status)).toEqual([200, 200, 500, 404]);
  });

  it('serves HTTPS', async () => {
    const found = await Promise.all((await start(true)).map((url) => getSecurely(`${url}/text`)));
    expect(found).toEqual(['200 plain', '200 plain']);
  });

  async function upload(url: string, text: string): Promise<{ status: number; body: unknown }> {
    const form = new FormData();
    form.set('file', new Blob([text]), 'a.txt');
    const answer = await fetch(`${url}/upload`, { method: 'POST', body: form });
    return { status: answer.status, body: await answer.json() };
  }

  function getSecurely(url: string): Promise<string> {
    return new Promise((resolve, reject) => {
      request(url, { rejectUnauthorized: false }, (response) => {
        response.setEncoding('utf8');
        let text = '';
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve(`${response.statusCode} ${text}`));
      })
        .on('error', reject)
        .end();
    });
  }
});
