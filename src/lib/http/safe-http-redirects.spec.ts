import type { IncomingMessage } from 'node:http';
import { SafeHttp } from './safe-http.js';
import { expectRefusal, httpServers, redirect } from '../../../test/doubles/http-servers.js';

const { serve } = httpServers();

describe('SafeHttp redirects', () => {
  const seen: [method: string | undefined, url: string | undefined, headers: IncomingMessage['headers']][] =
    [];
  const record = ({ method, url, headers }: IncomingMessage) => seen.push([method, url, headers]);
  beforeEach(() => (seen.length = 0));

  it('are followed three times at most', async () => {
    const origin = await serve((request, response) => {
      record(request);
      const left = Number(request.url?.slice(1));
      if (left > 0) redirect(response, `/${left - 1}`);
      else response.end('arrived');
    });
    const http = new SafeHttp({ allowedOrigins: [origin] });
    expect((await http.request({ url: `${origin}/3` })).body.toString()).toBe('arrived');
    seen.length = 0;
    await expectRefusal('redirects', http, { url: `${origin}/4` });
    expect(seen.map(([, url]) => url)).toEqual(['/4', '/3', '/2', '/1']);
  });

  it('are followed with credentials for the first origin only', async () => {
    const other = await serve((request, response) => (record(request), response.end()));
    const origin = await serve((request, response) => {
      record(request);
      redirect(response, request.url === '/' ? '/same' : `${other}/other`);
    });
    const headers = { Authorization: 'Bearer token', Cookie: 'a=b', Accept: 'text/plain' };
    await new SafeHttp({ allowedOrigins: [origin, other] }).request({ url: origin, headers });
    expect(
      seen.map(([, url, { authorization, cookie, accept }]) => [url, authorization, cookie, accept]),
    ).toEqual([
      ['/', 'Bearer token', 'a=b', 'text/plain'],
      ['/same', 'Bearer token', 'a=b', 'text/plain'],
      ['/other', undefined, undefined, 'text/plain'],
    ]);
  });

  it.each([
    [301, 'POST', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [303, 'PUT', 'GET', ''],
    [302, 'PUT', 'PUT', 'sent'],
    [307, 'POST', 'POST', 'sent'],
    [308, 'POST', 'POST', 'sent'],
  ] as const)('with status %i turn %s into %s with the body %j', async (status, method, followed, body) => {
    const origin = await serve((request, response) => {
      if (request.url === '/') return redirect(response, '/next', status);
      record(request);
      request.pipe(response);
    });
    const answer = await new SafeHttp({ allowedOrigins: [origin] }).request({
      url: origin,
      method,
      body: 'sent',
    });
    expect(seen[0]?.[0]).toBe(followed);
    expect(answer.body.toString()).toBe(body);
  });

  it('are not followed without a location', async () => {
    const origin = await serve((_request, response) => response.writeHead(302).end('no location'));
    expect(await new SafeHttp({ allowedOrigins: [origin] }).request({ url: origin })).toMatchObject({
      status: 302,
    });
  });

  it('are followed without secret headers for other origins', async () => {
    const other = await serve((request, response) => (record(request), response.end()));
    const origin = await serve((request, response) => (record(request), redirect(response, other)));
    await new SafeHttp({ allowedOrigins: [origin, other] }).request({
      url: origin,
      headers: { 'X-Api-Key': 'key' },
      secretHeaders: ['x-api-key'],
    });
    expect(seen.map(([, , headers]) => headers['x-api-key'])).toEqual(['key', undefined]);
  });

  it('are not followed if the request refuses them', async () => {
    const origin = await serve((_request, response) => redirect(response, '/next'));
    expect(
      await new SafeHttp({ allowedOrigins: [origin] }).request({ url: origin, followsRedirects: false }),
    ).toMatchObject({ status: 302, url: `${origin}/` });
  });
});
