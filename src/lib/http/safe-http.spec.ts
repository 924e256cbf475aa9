import { jest } from '@jest/globals';
import { once } from 'node:events';
import { type RequestListener } from 'node:http';
import type { LookupFunction } from 'node:net';
import tls from 'node:tls';
import { gzipSync } from 'node:zlib';
import { OutboundError, SafeHttp } from './safe-http.js';
import { expectRefusal, httpServers, redirect } from '../../../test/doubles/http-servers.js';

/** In an unassigned block of global unicast addresses: public, but without any host. */
const PUBLIC = '2e00::1';
const KILOBYTE = 1024;

/** Returns a lookup that gives these answers in sequence, repeating the last one. */
function resolving(...answers: string[][]): LookupFunction & { calls: string[] } {
  const calls: string[] = [];
  const lookup: LookupFunction = (hostname, _options, callback) => {
    const addresses = answers[Math.min(calls.length, answers.length - 1)] ?? [];
    calls.push(hostname);
    process.nextTick(
      callback,
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return Object.assign(lookup, { calls });
}

describe('SafeHttp', () => {
  const connections = jest.spyOn(tls, 'connect');
  afterEach(() => {
    for (const { value } of connections.mock.results)
      (value as tls.TLSSocket).destroy(new Error('the test is over'));
    connections.mockClear();
  });

  const { servers, serve, serveInternal } = httpServers();

  describe('requests to an allowed origin', () => {
    it('send method, headers and body, and return the response', async () => {
      const origin = await serve((request, response) => {
        const { method, url, headers } = request;
        response.writeHead(418, { 'X-Kind': 'teapot' });
        request.pipe(
          response.on('pipe', () =>
            response.write(JSON.stringify([method, url, headers['x-a'], headers['accept-encoding']])),
          ),
        );
      });
      const http = new SafeHttp({ allowedOrigins: [`${origin}/ignored/path`] });
      const options = {
        url: `${origin}/a?b=c`,
        method: 'POST',
        headers: { 'X-A': '1', 'Accept-Encoding': 'gzip' },
        body: 'sent',
      } as const;
      const { status, headers, body } = await http.request(options);
      expect(status).toBe(418);
      expect(headers['x-kind']).toBe('teapot');
      expect(body.toString()).toBe('["POST","/a?b=c","1","identity"]sent');
    });

    it('may use a name that resolves to a private address', async () => {
      const origin = (await serve((_request, response) => response.end('found'))).replace(
        '127.0.0.1',
        'codehost.internal',
      );
      const http = new SafeHttp({ allowedOrigins: [origin], lookup: resolving(['127.0.0.1']) });
      expect((await http.request({ url: origin })).body.toString()).toBe('found');
    });

    it('do not decompress a response that is compressed nevertheless', async () => {
      const packed = gzipSync(Buffer.alloc(1000 * KILOBYTE));
      const origin = await serve((_request, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed),
      );
      const { body } = await new SafeHttp({ allowedOrigins: [origin] }).request({
        url: origin,
        maxBytes: 10 * KILOBYTE,
      });
      expect(body).toEqual(packed);
    });
  });

  describe('private addresses', () => {
    it.each([
      '127.0.0.1',
      'localhost',
      '127.1',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::127.0.0.1]',
      '0.0.0.0',
      '0',
      '[::]',
      '169.254.169.254',
      '[64:ff9b::7f00:1]',
      '[64:ff9b:1::7f00:1]',
      '[2002:7f00:1::]',
      '①②⑦.⓪.⓪.①',
      '127.0.0.1.',
      '10.0.0.1',
      '172.16.0.1',
      '192.168.0.1',
      '100.64.0.1',
      '198.18.0.1',
      '224.0.0.1',
      '240.0.0.1',
      '255.255.255.255',
      '[fe80::1]',
      '[fd00::1]',
      '[ff02::1]',
    ])('are rejected if written as %s', async (host) => {
      await expectRefusal('address', new SafeHttp(), { url: `https://${host}/` });
      await expectRefusal('address', new SafeHttp(), { url: `https://${host}:8443/` });
    });

    it.each([
      [['10.0.0.1']],
      [['::1']],
      [['::ffff:10.0.0.1']],
      [[PUBLIC, '10.0.0.1']],
      [['127.0.0.1', PUBLIC]],
      [[]],
    ])('are rejected if a name resolves to %j', async (addresses) => {
      const lookup = resolving(addresses);
      await expectRefusal('address', new SafeHttp({ lookup }), { url: 'https://name.example/' });
      expect(lookup.calls).toEqual(['name.example']);
    });

    it('are rejected if a name resolves to a different address on each lookup', async () => {
      const lookup = resolving([PUBLIC], ['127.0.0.1']);
      const http = new SafeHttp({ lookup });
      const first = await http
        .request({ url: 'https://rebound.example/', timeoutMs: 500 })
        .catch((error: unknown) => error);
      expect(first).toBeInstanceOf(OutboundError);
      // The socket connects to the address that was checked: the name is not resolved again.
      expect(lookup.calls).toEqual(['rebound.example']);
      expect((first as OutboundError).reason).not.toBe('address');
      await expectRefusal('address', http, { url: 'https://rebound.example:8443/' });
    });

    it.each([
      ['an address', () => 'https://127.0.0.1:8443/', 'address'],
      ['a name', () => 'https://private.example/', 'address'],
      ['another port of the same host', (internal: string) => internal, 'request'],
      ['another scheme', () => 'file:///etc/passwd', 'request'],
      ['no URL', () => 'https://[', 'request'],
    ] as const)('are rejected behind a redirect to %s', async (_kind, target, reason) => {
      const internal = await serveInternal();
      const origin = await serve((_request, response) => redirect(response, target(internal.origin)));
      const lookup = resolving(['127.0.0.1']);
      await expectRefusal(reason, new SafeHttp({ allowedOrigins: [origin], lookup }), { url: origin });
      expect(internal.hits()).toBe(0);
    });

    it('are rejected if only another client may access them', async () => {
      const internal = await serveInternal();
      await new SafeHttp({ allowedOrigins: [internal.origin] }).request({ url: internal.origin });
      await expectRefusal('request', new SafeHttp(), { url: internal.origin });
      expect(internal.hits()).toBe(1);
    });
  });

  it.each([
    ['another scheme', 'http://name.example/'],
    ['another scheme', 'ftp://name.example/'],
    ['another scheme', 'file:///etc/passwd'],
    ['another scheme', 'data:text/plain,x'],
    ['another port', 'https://name.example:22/'],
    ['another port', 'https://name.example:6379/'],
    ['a user', 'https://user@name.example/'],
    ['a password', 'https://:password@name.example/'],
    ['no host', 'https://'],
    ['no scheme', '//name.example/'],
    ['nothing', ''],
  ])('rejects a URL with %s (%s) before it resolves a name', async (_kind, url) => {
    const lookup = resolving([PUBLIC]);
    await expectRefusal('request', new SafeHttp({ lookup }), { url });
    expect(lookup.calls).toEqual([]);
  });

  it.each([
    ['request', 'http://name.example:25/'],
    ['request', 'https://name.example:587/'],
    ['request', 'ftp://name.example/'],
    ['address', 'http://name.example/'],
    ['address', 'https://name.example:1883/'],
    ['address', 'http://127.0.0.1:8080/'],
  ] as const)('that allows plain requests rejects, for its %s, %s', async (reason, url) => {
    await expectRefusal(reason, new SafeHttp({ allowsPlain: true, lookup: resolving(['10.0.0.1']) }), {
      url,
    });
  });

  it('rejects user information even for an allowed origin', async () => {
    const internal = await serveInternal();
    const url = internal.origin.replace('//', '//user:password@');
    await expectRefusal('request', new SafeHttp({ allowedOrigins: [internal.origin] }), { url });
    expect(internal.hits()).toBe(0);
  });

  it.each<Record<string, string>>([{ 'x-a': 'a\r\nx-b: b' }, { 'x a': 'b' }, { 'x-a': 'ключ' }])(
    'rejects the headers %j',
    async (headers) => {
      const internal = await serveInternal();
      await expectRefusal('request', new SafeHttp({ allowedOrigins: [internal.origin] }), {
        url: internal.origin,
        headers,
      });
      expect(internal.hits()).toBe(0);
    },
  );

  describe('delivery of a request', () => {
    const post = (url: string) => ({ url, method: 'POST', body: 'sent' }) as const;

    it('returns the status and closes the connection if the response never ends', async () => {
      let closed: Promise<unknown> | undefined;
      const origin = await serve((_request, response) => {
        closed = once(response, 'close');
        response.writeHead(202).write('x');
      });
      expect(await new SafeHttp({ allowedOrigins: [origin] }).deliver(post(origin))).toBe(202);
      await closed;
    });

    it('returns the status of a redirect without following it', async () => {
      const { origin: other, hits } = await serveInternal();
      const origin = await serve((_request, response) => redirect(response, other, 307));
      expect(await new SafeHttp({ allowedOrigins: [origin, other] }).deliver(post(origin))).toBe(307);
      expect(hits()).toBe(0);
    });

    it('times out, and rejects private addresses', async () => {
      const origin = await serve(() => undefined);
      const http = new SafeHttp({ allowedOrigins: [origin] });
      await expect(http.deliver({ ...post(origin), timeoutMs: 100 })).rejects.toMatchObject({
        reason: 'timeout',
      });
      const named = new SafeHttp({ lookup: resolving(['10.0.0.1']) });
      await expect(named.deliver(post('https://name.example/'))).rejects.toMatchObject({ reason: 'address' });
    });
  });

  describe('timeouts', () => {
    it.each<[string, RequestListener]>([
      ['never answers', () => undefined],
      [
        'stops midway',
        (_request, response) => response.writeHead(200, { 'content-length': 10 }).write('12345'),
      ],
      [
        'sends a byte now and then',
        (_request, response) => {
          const timer = setInterval(() => response.write('x'), 20);
          response.on('close', () => clearInterval(timer));
        },
      ],
    ])('apply to a server that %s', async (_kind, answer) => {
      const origin = await serve(answer);
      await expectRefusal('timeout', new SafeHttp({ allowedOrigins: [origin] }), {
        url: origin,
        timeoutMs: 300,
      });
    });

    it('apply earlier if the caller aborts the request', async () => {
      const abort = new AbortController();
      const origin = await serve(() => abort.abort());
      const http = new SafeHttp({ allowedOrigins: [origin] });
      await expectRefusal('timeout', http, { url: origin, signal: abort.signal });
      await expectRefusal('timeout', http, { url: origin, signal: abort.signal });
    });

    it('apply to a name server that never answers', async () => {
      await expectRefusal('timeout', new SafeHttp({ lookup: () => undefined }), {
        url: 'https://name.example/',
        timeoutMs: 100,
      });
    });
  });

  describe('size limits', () => {
    const limit = 64 * KILOBYTE;

    it('apply to a body that never ends, and close the connection', async () => {
      let closed: Promise<unknown> | undefined;
      const origin = await serve((_request, response) => {
        closed = once(response, 'close');
        const more = (): void => {
          while (response.write(Buffer.alloc(16 * KILOBYTE)));
          response.once('drain', more);
        };
        more();
      });
      await expectRefusal('size', new SafeHttp({ allowedOrigins: [origin] }), {
        url: origin,
        maxBytes: limit,
      });
      await closed;
    });

    it('apply to a body whose announced size is too large', async () => {
      const origin = await serve((_request, response) =>
        response.writeHead(200, { 'content-length': 1e10 }).write('start'),
      );
      await expectRefusal('size', new SafeHttp({ allowedOrigins: [origin] }), {
        url: origin,
        maxBytes: limit,
      });
    });

    it('permit a body of exactly the maximum size', async () => {
      const origin = await serve((_request, response) => response.end(Buffer.alloc(limit)));
      const http = new SafeHttp({ allowedOrigins: [origin] });
      expect((await http.request({ url: origin, maxBytes: limit })).body).toHaveLength(limit);
      await expectRefusal('size', http, { url: origin, maxBytes: limit - 1 });
    });
  });

  it('does not reveal why a server cannot be reached', async () => {
    const hangsUp = await serve((request) => request.socket.destroy());
    const nobody = await serve(() => undefined);
    await new Promise((resolve) => servers.pop()?.close(resolve));
    const noName: LookupFunction = (_hostname, _options, callback) =>
      callback(Object.assign(new Error(), { code: 'ENOTFOUND' }), []);
    const http = new SafeHttp({ allowedOrigins: [hangsUp, nobody], lookup: noName });
    const messages = new Set<string>();
    for (const url of [hangsUp, nobody, 'https://name.example/']) {
      await expectRefusal('unreachable', http, { url });
      messages.add(await http.request({ url }).then(String, (error: Error) => error.message));
    }
    expect(messages.size).toBe(1);
  });
});
