import { jest } from '@jest/globals';
import { createHash } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { makeApplication } from '../../../test/make/make.js';
import { reply, SITES, sitesPort, TestSite, type Asked } from '../../../test/make/sites.js';
import { suite } from '../../../test/setup/suite.js';
import { waitUntil } from '../../../test/setup/until.js';
import { ConnectionLimit } from '../../platform/throttle/connection-limit.js';

const { test, user, application } = suite(SITES, { database: 'own' });
let site: TestSite;

beforeEach(() => {
  site = new TestSite(test, user, application);
});

/** Makes an endpoint whose workflow replies with its payload. */
const echo = (route: string, more: object = {}) =>
  site.replying(route, { replyType: 'custom', bodyTemplateType: 'payload' }, more);

/** Returns the payload of the workflow of a request. */
async function payloadOf(path: string, asked: Asked = {}): Promise<any> {
  const answer = await site.visit(path, asked);
  expect(answer.status).toBe(200);
  return answer.json;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

/** Returns a multipart body. */
const multipart = (...parts: readonly string[]): Asked => ({
  method: 'POST',
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
  body: `${parts.map((part) => `--x\r\nContent-Disposition: form-data; ${part}\r\n`).join('')}--x--\r\n`,
});

describe('The payload of a request', () => {
  it('has the request, the endpoint and the version', async () => {
    const endpoint = await echo('/a/{b}/{c?}', { method: 'put', endpointTags: { area: 'north' } });
    const payload = await payloadOf('/a/x%2Fy?q=1', {
      method: 'PUT',
      headers: { 'x-own': 'value', cookie: 'theme=dark%20blue; other="q"' },
    });
    expect(payload).toMatchObject({
      time: expect.stringMatching(/^\d{4}-/),
      triggerId: endpoint.id,
      triggerType: 'endpoint',
      relayType: 'public',
      relayId: '0'.repeat(24),
      applicationId: application.id,
      applicationName: expect.any(String),
      flowName: expect.stringMatching(/^flow-/),
      flowVersion: 'develop',
      globals: {},
      data: {
        path: '/a/x%2Fy',
        method: 'put',
        params: { b: 'x/y' },
        query: { q: '1' },
        body: null,
        cookies: { theme: 'dark blue', other: 'q' },
        replyId: expect.stringMatching(new RegExp(`^${endpoint.id}\\.\\w+$`)),
      },
      experience: {
        endpoint: { id: endpoint.id, route: '/a/{b}/{c?}', method: 'put', endpointTags: { area: 'north' } },
        user: null,
        version: 'develop',
        authInfo: null,
      },
    });
    expect(payload.data.params).toEqual({ b: 'x/y' });
    expect(payload.data.headers).toMatchObject({
      host: site.host,
      'x-forwarded-proto': 'http',
      'x-own': 'value',
    });
    expect(payload.data.headers).not.toHaveProperty('cookie');
    expect(payload.experience).not.toHaveProperty('device');
  });

  it.each<[string, object]>([
    ['', {}],
    ['?', {}],
    ['?a=1&b=%20x+y', { a: '1', b: ' x y' }],
    ['?a=1&a=2', { a: ['1', '2'] }],
    ['?a[b]=c&a[d][e]=f', { a: { b: 'c', d: { e: 'f' } } }],
    ['?list[]=1&list[]=2', { list: ['1', '2'] }],
    ['?__proto__[x]=1&constructor=2&a=%zz', { a: '%zz' }],
  ])('has the query %s as %j', async (query, expected) => {
    await echo('/q');
    expect((await payloadOf(`/q${query}`)).data.query).toEqual(expected);
  });

  it.each<[string, Asked, unknown]>([
    ['no body', {}, null],
    ['an empty body', { headers: JSON_TYPE, body: '' }, null],
    ['JSON', { headers: JSON_TYPE, body: '{"a":[1,{"b":null}]}' }, { a: [1, { b: null }] }],
    [
      'JSON of another charset',
      { headers: { 'content-type': 'Application/JSON; charset=utf-8' }, body: '[1]' },
      [1],
    ],
    ['JSON that cannot be parsed', { headers: JSON_TYPE, body: '{"a":' }, '{"a":'],
    ['a form', { headers: FORM_TYPE, body: 'a=1&b%5Bc%5D=2&d=x+y' }, { a: '1', b: { c: '2' }, d: 'x y' }],
    ['text', { headers: { 'content-type': 'text/csv' }, body: 'a,b\n1,2' }, 'a,b\n1,2'],
    ['a body without type', { body: 'raw' }, 'raw'],
    [
      'a multipart form',
      multipart('name="a"\r\n\r\none', 'name="a"\r\n\r\ntwo', 'name="b"\r\n\r\nthree'),
      { a: ['one', 'two'], b: 'three' },
    ],
    [
      'a file',
      multipart('name="f"; filename="ä.txt"\r\nContent-Type: text/plain\r\n\r\nhello'),
      { f: { filename: 'ä.txt', contentType: 'text/plain', data: Buffer.from('hello').toString('base64') } },
    ],
    ['a broken multipart form', { ...multipart(), body: 'nothing' }, 'nothing'],
  ])('has %s', async (_what, asked, expected) => {
    await echo('/body', { method: 'post' });
    expect((await payloadOf('/body', { method: 'POST', ...asked })).data.body).toEqual(expected);
  });

  it('has bodies of up to 256 KB', async () => {
    await site.replying('/size', { bodyTemplate: '{{data.body.length}}' }, { method: 'post' });
    const send = (length: number) => site.visit('/size', { method: 'POST', body: 'x'.repeat(length) });
    expect((await send(256 * 1024)).text).toBe(String(256 * 1024));
    expect(await send(256 * 1024 + 1)).toMatchObject({
      status: 413,
      text: '{"error":"Request entity too large"}',
    });
  });

  it('has the address of the client, and no forwarded host that a client made up', async () => {
    await echo('/forwarded');
    const headers = { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-host': 'evil.example.com' };
    const { data } = await payloadOf('/forwarded', { headers });
    expect(data.headers['x-forwarded-for']).toMatch(/^(?:::ffff:)?127\.0\.0\.1$|^::1$/);
    expect(data.headers).not.toHaveProperty('x-forwarded-host');
  });

  it('does not have the token of the user', async () => {
    await echo('/token');
    const all = await payloadOf('/token?authorization=secret-1', {
      headers: { authorization: 'Bearer secret-2', cookie: 'authorization=secret-3' },
    });
    expect(all.data.query).toEqual({ authorization: '*****REDACTED*****' });
    expect(all.data.cookies).toEqual({ authorization: '*****REDACTED*****' });
    expect(all.data.headers.authorization).toBe('Bearer secret-2');
    const header = await payloadOf('/token', { headers: { authorization: 'Bearer secret-2' } });
    expect(header.data.headers.authorization).toBe('*****REDACTED*****');
    const basic = await payloadOf('/token', { headers: { authorization: 'Basic secret-4' } });
    expect(basic.data.headers.authorization).toBe('Basic secret-4');
    expect(JSON.stringify([all, header])).not.toMatch(/secret-[13]/);
  });

  it('has globals of the application, of the version and of the workflow', async () => {
    await test.client.patch(
      `/applications/${application.id}`,
      { globals: ['a', 'b', 'c'].map((key) => ({ key, json: '"application"' })) },
      { token: user.token },
    );
    const globals = ['b', 'c'].map((key) => ({ key, json: '"version"' }));
    await site.call('patch', 'experience/versions/develop', { globals });
    const endpoint = await site.endpoint('/globals');
    const { id } = await site.flow(endpoint, reply({ bodyTemplateType: 'path', bodyTemplate: 'globals' }));
    await site.call('patch', `flows/${id}`, { globals: [{ key: 'c', json: '"flow"' }] });
    expect((await site.visit('/globals')).json).toEqual({ a: 'application', b: 'version', c: 'flow' });
  });
});

describe('A request', () => {
  /** Sends text to the port of sites, and returns the status of each response, until the connection is closed. */
  const send = (text: string): Promise<number[]> =>
    new Promise((resolve, reject) => {
      const socket = connect(sitesPort(test), '127.0.0.1');
      let received = '';
      socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
      socket.once('error', reject);
      socket.once('close', () =>
        resolve([...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))),
      );
      socket.write(text);
    });
  const head = (...lines: readonly string[]) => `${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`;

  it.each<[string, (host: string) => string, number]>([
    ['without a host', () => head('GET / HTTP/1.1'), 400],
    ['with two hosts', (host) => head('GET / HTTP/1.1', `Host: ${host}`, 'Host: other.example.com'), 400],
    ['with a host that is none', () => head('GET / HTTP/1.1', 'Host: a b'), 400],
    ['with a port', (host) => head('GET / HTTP/1.1', `Host: ${host}:3001`), 404],
    ['with the URL of its host', (host) => head(`GET http://${host}/ HTTP/1.1`, `Host: ${host}`), 404],
    [
      'with the URL of another host',
      (host) => head('GET http://other.example.com/ HTTP/1.1', `Host: ${host}`),
      400,
    ],
    ['with a malformed path', (host) => head('GET /%zz HTTP/1.1', `Host: ${host}`), 400],
    [
      'with two lengths',
      (host) => `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
      400,
    ],
    [
      'with a length and chunks',
      (host) =>
        `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    [
      'with an unknown transfer encoding',
      (host) => `POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['with a folded header', (host) => head('GET / HTTP/1.1', `Host: ${host}`, 'X: a', ' b'), 400],
    [
      'with large headers',
      (host) => head('GET / HTTP/1.1', `Host: ${host}`, `X: ${'x'.repeat(20_000)}`),
      431,
    ],
    ['that is no HTTP', () => 'hello\r\n\r\n', 400],
  ])('%s is refused or answered once', async (_what, text, status) => {
    expect(await send(text(site.host))).toEqual([status]);
  });

  it.each<[string, string, object]>([
    ['with a host that is none', head('GET / HTTP/1.1', 'Host: a b'), { method: 'GET', status: 400 }],
    ['that is no HTTP', 'hello\r\n\r\n', { status: 400, code: 'HPE_INVALID_METHOD' }],
    [
      'with large headers',
      head('GET / HTTP/1.1', 'Host: a', `X: ${'x'.repeat(20_000)}`),
      { status: 431, code: 'HPE_HEADER_OVERFLOW' },
    ],
  ])('%s is logged', async (_what, text, logged) => {
    const before = test.log.length;
    await send(text);
    const lines = () =>
      test.log
        .slice(before)
        .join('')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line || '{}'));
    await waitUntil(async () => lines().some((line) => line.context === 'Site'));
    expect(lines()).toContainEqual(expect.objectContaining({ context: 'Site', ...logged }));
  });

  it('for a WebSocket is answered as any other', async () => {
    const text = head('GET / HTTP/1.1', `Host: ${site.host}`, 'Upgrade: websocket', 'Sec-WebSocket-Key: x');
    expect(await send(text.replace('Connection: close', 'Connection: Upgrade, close'))).toEqual([404]);
  });

  it('is answered in order on one connection', async () => {
    await site.replying('/n/{n}', {
      bodyTemplate: '{{data.params.n}}',
      responseCodeTemplate: '20{{data.params.n}}',
    });
    const one = (n: number) => `GET /n/${n} HTTP/1.1\r\nHost: ${site.host}\r\n\r\n`;
    expect(await send(one(1) + one(2) + head('GET /n/3 HTTP/1.1', `Host: ${site.host}`))).toEqual([
      201, 202, 203,
    ]);
  });

  it('to a host that leads nowhere keeps its connection', async () => {
    const request = 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
    expect(await send(request + request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))).toEqual([
      404, 404,
    ]);
  });

  it('is not received if its network has too many connections', async () => {
    const enter = jest.spyOn(ConnectionLimit.prototype, 'enter').mockReturnValueOnce(undefined);
    const text = head('GET / HTTP/1.1', `Host: ${site.host}`);
    await expect(send(text).catch(() => [])).resolves.toEqual([]);
    expect(enter).toHaveBeenCalledWith('127.0.0.1');
    expect(await send(text)).toEqual([404]);
  });

  it('that is malformed ends its connection', async () => {
    expect(await send('POST / HTTP/1.1\r\nHost: a b\r\nContent-Length: 100000\r\n\r\nx')).toEqual([400]);
  });

  it('is refused while bodies of the site take too much memory, and other sites are not affected', async () => {
    const other = new TestSite(test, user, await makeApplication(test, user.token));
    const head = `POST /held HTTP/1.1\r\nHost: ${site.host}\r\nContent-Length: 262144\r\n\r\n`;
    const sockets = Array.from({ length: 128 }, () =>
      connect(sitesPort(test), '127.0.0.1', function (this: Socket) {
        this.write(head);
      }),
    );
    const statusOf = async (asked: TestSite, body?: string): Promise<number> =>
      (await asked.visit('/held', { method: 'POST', body })).status;
    await waitUntil(async () => (await statusOf(site, 'x')) === 503);
    expect(await statusOf(site)).toBe(404);
    expect(await statusOf(other, 'x')).toBe(404);
    for (const socket of sockets) socket.destroy();
    await waitUntil(async () => (await statusOf(site, 'x')) === 404);
  });

  it('with HEAD has the headers of GET without a body', async () => {
    await site.page('/page', '<p>ä</p>');
    const got = await site.visit('/page');
    const asked = await site.visit('/page', { method: 'HEAD' });
    expect([asked.status, asked.text]).toEqual([200, '']);
    const { date: _date, ...headers } = asked.headers;
    expect(got.headers).toMatchObject(headers);
    expect(headers['content-length']).toBe('9');
  });

  it('sends bodies in any encoding that HTTP has', async () => {
    await site.replying('/body', { bodyTemplateType: 'path', bodyTemplate: 'data.body' }, { method: 'post' });
    const { gzipSync } = await import('node:zlib');
    const encoded = { method: 'POST', headers: { 'content-encoding': 'gzip' }, body: gzipSync('hello') };
    expect((await site.visit('/body', encoded)).text).toBe('hello');
    const bomb = { ...encoded, body: gzipSync(Buffer.alloc(10 * 1024 * 1024)) };
    expect((await site.visit('/body', bomb)).status).toBe(413);
    const unknown = { ...encoded, headers: { 'content-encoding': 'zstd' } };
    expect((await site.visit('/body', unknown)).status).toBe(415);
  });

  it('keeps binary bodies from workflows that cannot hold them, without an error', async () => {
    await site.replying('/raw', { bodyTemplate: '{{data.body.length}}' }, { method: 'post' });
    const body = createHash('sha512').update('x').digest();
    expect((await site.visit('/raw', { method: 'POST', body })).status).toBe(200);
    expect((await site.visit('/raw', { method: 'POST', body: 'a\0b' })).text).toBe('3');
  });

  it.each([
    ['names of prototypes', '{"__proto__":{"x":1}}', JSON_TYPE, 400],
    ['names of prototypes in a form', 'a=1&constructor[prototype][y]=2', FORM_TYPE, 400],
    ['deep nesting', '['.repeat(100) + ']'.repeat(100), JSON_TYPE, 413],
    ['many fields', 'a=1&'.repeat(1001), FORM_TYPE, 413],
  ])('with %s in its body is refused', async (_what, body, headers, status) => {
    await echo('/json', { method: 'post' });
    expect(await site.visit('/json', { method: 'POST', headers, body })).toMatchObject({ status });
  });
});
