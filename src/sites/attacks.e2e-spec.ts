import { jest } from '@jest/globals';
import { connect } from 'node:net';
import { filesIn } from '../../test/make/files.js';
import { makeApplication } from '../../test/make/make.js';
import { SITES, sitesPort, TestSite, visit } from '../../test/make/sites.js';
import { suite } from '../../test/setup/suite.js';
import { Replies } from '../workflows/runs/replies.js';
import { SitesServer } from './server/sites-server.js';

const { test, user, application } = suite(SITES, { database: 'own' });
const FILES_HOST = 'files.sites.test';
const NO_STORE = 'no-cache, no-store, must-revalidate';
let site: TestSite;

beforeEach(() => {
  site = new TestSite(test, user, application);
  // For the workflows that fail instead of a reply.
  test.app.get(Replies, { strict: false }).timeoutMs = 2_000;
});

const header = (keyTemplate: string, valueTemplate: string) => ({ keyTemplate, valueTemplate });
const settings = (body: object) => site.call('patch', 'experience/versions/develop', body);

/** Sends text to the port of sites, and returns all text received until the connection is closed. */
function send(text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(sitesPort(test), '127.0.0.1', () => socket.write(text));
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(received));
  });
}

describe('A cookie', () => {
  it.each([
    'a=1; Domain=sites.test',
    'a=1; dOmAiN = .sites.test',
    'a=1;Domain="sites.test"',
    'a=1;\tDomain=\tsites.test',
    'a=1; Domain=test',
    'a=1; Domain=.',
    'a=1; Domain=x; Domain=sites.test',
    'a=1; Domain=other.sites.test',
  ])('of a reply or a version is of no other host: %s', async (cookie) => {
    await site.replying('/', { headerInfo: [header('Set-Cookie', cookie)] });
    await settings({ responseHeaders: { 'Set-Cookie': cookie } });
    for (const path of ['/', '/missing'])
      expect((await site.visit(path)).headers['set-cookie']).toEqual([expect.not.stringMatching(/domain/i)]);
  });

  it('has no attributes that a visitor writes', async () => {
    await site.replying('/', {
      cookieInfo: [
        { nameTemplate: 'a', valueTemplate: '{{{data.query.x}}}' },
        { nameTemplate: 'b', valueTemplate: '1', pathTemplate: '{{{data.query.x}}}' },
      ],
    });
    const { headers } = await site.visit(`/?x=${encodeURIComponent('/; Domain=sites.test; Secure')}`);
    for (const cookie of headers['set-cookie'] ?? []) expect(cookie).not.toMatch(/; *(domain|secure)/i);
  });
});

describe('A visitor', () => {
  it('cannot add headers', async () => {
    await site.replying('/', {
      headerInfo: [header('X-{{{data.query.x}}}', '1'), header('X-Value', '{{{data.query.x}}}')],
      bodyTemplate: 'body',
    });
    const values = ['x\r\nSet-Cookie: a=1\r\n\r\n<script>', 'x\nX-Injected: 1', 'x\u0000\u2028\u{1f600}'];
    const answers = await Promise.all(values.map((value) => site.visit(`/?x=${encodeURIComponent(value)}`)));
    for (const { headers, text } of answers) {
      expect(text).not.toContain('<script>');
      expect(Object.keys(headers).filter((name) => /^x-(?!content|xss)|^set-cookie/.test(name))).toEqual([]);
    }
  });

  it.each(['//evil.example.com', '//evil.example.com/%2e%2e', '/\\evil.example.com/', '/x/'])(
    'is not redirected by the path %s',
    async (path) => {
      await site.page('/x', 'x');
      const { headers } = await site.visit(path);
      expect(headers).not.toHaveProperty('location');
    },
  );

  it('cannot print members of prototypes, or markup', async () => {
    await site.page(
      '/',
      '{{constructor}}{{request.constructor.name}}{{lookup request "__proto__"}}{{request.query.toString}}|{{request.query.x}}',
    );
    const { text } = await site.visit('/?x=<script>&__proto__[y]=1&constructor[prototype][z]=1');
    expect(text).toBe('|&lt;script&gt;');
    expect(({} as Record<string, unknown>).y).toBeUndefined();
  });

  it('is not served the page of another, and no error is kept by caches', async () => {
    await settings({ responseHeaders: { 'Cache-Control': 'public, max-age=3600', Pragma: 'cache' } });
    await site.page('/page', '{{request.headers.x-forwarded-host}}');
    await site.page('/broken', '{{decodeURI "%"}}');
    await site.endpoint('/own', { access: 'authenticated' });
    expect((await site.visit('/page')).headers['cache-control']).toBe('public, max-age=3600');
    for (const [path, status] of [
      ['/broken', 500],
      ['/missing', 404],
      ['/own', 401],
      ['/%zz', 400],
    ] as const)
      expect(await site.visit(path)).toMatchObject({ status, headers: { 'cache-control': NO_STORE } });
  });

  it('learns nothing by methods of HTTP that echo or tunnel', async () => {
    const request = (line: string) =>
      send(`${line} HTTP/1.1\r\nHost: ${site.host}\r\nCookie: secret=1\r\nConnection: close\r\n\r\n`);
    for (const line of ['TRACE /', 'CONNECT example.com:443']) {
      const answer = await request(line);
      expect(answer).not.toContain('secret');
      expect(answer).not.toMatch(/^HTTP\/1\.1 2/);
    }
  });
});

describe('A template of an author', () => {
  const bomb = `${'{{#each request.headers}}{{#each @root.request.headers}}'.repeat(8)}x${'{{/each}}{{/each}}'.repeat(8)}`;

  it.each<[string, () => Promise<unknown>]>([
    ['of a redirect', () => site.endpoint('/bomb', { staticReply: { type: 'redirect', value: bomb } })],
    ['with a slow pattern', () => site.page('/bomb', '{{#match request.query.x "^(a+)+$"}}{{/match}}')],
  ])('%s cannot occupy the process', async (_what, make) => {
    await make();
    const { token } = await site.visitor();
    const started = process.cpuUsage();
    const answers = await Promise.all([
      site.visit(`/bomb?x=${'a'.repeat(5_000)}!`, { token }),
      site.visit('/missing'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([expect.any(Number), 404]);
    expect(answers[0].text).not.toMatch(/ at |\.js|\.ts/);
    // Without a bound, each of them takes minutes.
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(20);
  });
});

describe('A slow client', () => {
  it('is disconnected, also if it has sent a part of its request', async () => {
    const { servers } = test.app.get<unknown, { servers: { server: import('node:http').Server }[] }>(
      SitesServer,
    );
    for (const { server } of servers) Object.assign(server, { headersTimeout: 100, requestTimeout: 200 });
    await site.replying('/', { bodyTemplate: 'never' }, { method: 'post' });
    const head = `POST / HTTP/1.1\r\nHost: ${site.host}\r\n`;
    const answers = await Promise.all([
      send(head),
      send(`${head}Content-Length: 100\r\n\r\nabc`),
      send(`${head}Transfer-Encoding: chunked\r\n\r\n5\r\nabc`),
    ]);
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  });
});

describe('A file', () => {
  const files = (kind: 'files' | 'privateFiles') =>
    filesIn(test, { user, application }, kind, kind === 'files' ? 'file' : 'privateFiles');
  const read = (path: string, host = FILES_HOST) => visit(sitesPort(test), path, { host });
  /** Returns the path and query of the link to a private file that a page shows. */
  async function linkTo(path: string, more = ''): Promise<string> {
    await site.page('/link', `{{{file "${path}" private=true ${more}}}}`);
    const { pathname, search } = new URL((await site.visit('/link')).text);
    return pathname + search;
  }

  it('is served at the host of files, apart from sites', async () => {
    const { id, url } = await files('files').complete({
      name: 'a.html',
      parentDirectory: '/d',
      contentType: 'text/html',
    });
    expect(url).toBe(`http://${FILES_HOST}/files/${application.id}/d/a.html`);
    for (const path of [new URL(url).pathname, `/${application.id}/d/a.html`]) {
      const { status, headers, text } = await read(path);
      expect([status, text]).toEqual([200, 'content']);
      expect(headers).toMatchObject({
        'content-type': 'text/html',
        'cache-control': 'public, no-cache',
        'content-security-policy': expect.stringMatching(/^sandbox; default-src 'none'/),
        'x-content-type-options': 'nosniff',
        etag: expect.any(String),
      });
      expect(headers).not.toHaveProperty('set-cookie');
      expect(await read(path, site.host)).toMatchObject({ status: 404 });
    }
    await site.call('delete', `file/${id}`);
    expect((await read(new URL(url).pathname)).status).toBe(404);
  });

  it('that is private is served by its own link only, until that expires', async () => {
    await files('privateFiles').complete({ name: 'p.txt', contentType: 'text/plain' });
    await files('privateFiles').complete({ name: 'q.txt', contentType: 'text/plain' });
    const link = await linkTo('/p.txt');
    const { status, headers, text } = await read(link);
    expect([status, text, headers['cache-control']]).toEqual([200, 'content', 'private, no-cache']);
    const other = await makeApplication(test, user.token);
    for (const changed of [
      link.replace('p.txt', 'q.txt'),
      link.replace('p.txt', './p.txt'),
      link.replace(application.id, other.id),
      link.replace(/expires=\d+/, 'expires=99999999999'),
      link.replace(/expires=\d+/, 'expires[]=1'),
      link.replace(/signature=.*/, 'signature='),
      `${link}&signature=x`,
      link.split('?')[0]!,
      `/files/${application.id}/p.txt`,
    ])
      expect([changed, (await read(changed)).status]).toEqual([changed, 404]);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 901_000);
    expect((await read(link)).status).toBe(404);
    clock.mockRestore();
  });

  it.each([
    '/files/{id}/../../../../../../etc/passwd',
    '/files/{id}/..%2f..%2f..%2f..%2fetc%2fpasswd',
    '/files/{id}/%2e%2e/%2e%2e/package.json',
    '/files/{id}//etc/passwd',
    '/files/{id}/a%00.txt',
    '/files/{id}/..\\..\\package.json',
    '/private/{id}/..%2f..%2fpackage.json?expires=99999999999&signature=x',
    '/{id}/.env',
    '/applications/{id}',
    '/openapi.json',
  ])('outside of the files of an application is not found: %s', async (path) => {
    const { status, text } = await read(path.replace('{id}', application.id));
    expect([status, text]).toEqual([404, '{"error":"This file was not found"}']);
  });
});
