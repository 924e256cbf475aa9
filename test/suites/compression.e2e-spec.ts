import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { get, type IncomingHttpHeaders } from 'node:http';
import { makeApplication } from '../make/make.js';
import { suite } from '../setup/suite.js';

interface Answer {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const OPENED: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

describe.each(['true', 'false'])('responses with fast path %s', (HTTP_FAST_PATH) => {
  const { test, user } = suite({ HTTP_FAST_PATH });

  /** Returns a response as sent over the wire. */
  const fetched = (path: string, encoding?: string, method = 'GET'): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${user.token}`,
        ...(encoding === undefined ? {} : { 'accept-encoding': encoding }),
      };
      get(`${test.client.url}${path}`, { method, headers, agent: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
      }).on('error', reject);
    });

  it.each(['gzip', 'br', 'gzip, deflate, br'])('compresses long responses for %s', async (encoding) => {
    const globals = [{ key: 'pumps', json: JSON.stringify('All about the pumps. '.repeat(200)) }];
    const { id } = await makeApplication(test, user.token, { globals });
    for (const path of ['/applications', `/applications/${id}`, '/openapi.json', '/docs/swagger-ui.css']) {
      const plain = await fetched(path);
      expect(plain.headers).not.toHaveProperty('content-encoding');
      const { headers, body } = await fetched(path, encoding);
      expect(OPENED[headers['content-encoding']!]!(body).equals(plain.body)).toBe(true);
      expect(body.length).toBeLessThan(plain.body.length / 2);
      expect(headers['content-type']).toBe(plain.headers['content-type']);
      expect(headers.vary!.toLowerCase()).toContain('accept-encoding');
    }
  });

  it.each([undefined, 'gzip', 'br'])(
    'streams pages of more than 1 MiB with encoding %s',
    async (encoding) => {
      const json = JSON.stringify('Pümps. '.repeat(4_000));
      const globals = Array.from({ length: 20 }, (_, i) => ({ key: `pumps${i}`, json }));
      for (let i = 0; i < 4; i++) await makeApplication(test, user.token, { globals });
      const { headers, body } = await fetched('/applications', encoding);
      expect(headers['content-encoding']).toBe(encoding);
      expect(headers['transfer-encoding']).toBe('chunked');
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      const plain = encoding ? OPENED[encoding]!(body) : body;
      const page = JSON.parse(plain.toString()) as { items: { globals: object[] }[]; count: number };
      expect([page.items.length, page.count, page.items[3]!.globals]).toEqual([4, 4, globals]);
      const head = await fetched('/applications', encoding, 'HEAD');
      expect([head.body.length, head.headers['content-type']]).toEqual([0, headers['content-type']]);
    },
  );

  it('does not compress short responses or requests for an identity encoding', async () => {
    expect((await fetched('/me', 'gzip')).headers).not.toHaveProperty('content-encoding');
    expect((await fetched('/openapi.json', 'identity')).headers).not.toHaveProperty('content-encoding');
    expect((await fetched('/openapi.json', 'gzip;q=0')).headers).not.toHaveProperty('content-encoding');
    const head = await fetched('/openapi.json', 'gzip', 'HEAD');
    expect([head.body.length, head.headers['content-encoding']]).toEqual([0, undefined]);
  });
});
