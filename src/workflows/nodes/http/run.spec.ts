import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { httpServers, redirect } from '../../../../test/doubles/http-servers.js';
import { runNode } from '../../../../test/doubles/run-node.js';
import { SafeHttp } from '../../../lib/http/safe-http.js';
import { FlowHttp } from '../../engine/http/flow-http.js';
import { httpNode } from './index.js';

interface Seen {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Properties of the credential `erp`. */
type Members = Record<string, string>;

describe('HttpNode', () => {
  const { serve } = httpServers();
  let origin: string;
  let seen: Seen[];
  let answer: { status?: number; headers?: Record<string, string | string[]>; body?: string | Buffer };
  beforeEach(async () => {
    seen = [];
    answer = {};
    origin = await serve((request, response) => {
      const { method, url, headers } = request;
      if (url === '/moved') return redirect(response, '/target');
      return void text(request).then((body) => {
        seen.push({ method: method!, url: url!, headers, body });
        response.writeHead(answer.status ?? 200, answer.headers).end(answer.body);
      });
    });
  });

  const execute = async (config: object, payload: object = {}, members?: Members): Promise<any> => {
    const http = new FlowHttp(new SafeHttp({ allowedOrigins: [origin], allowsPlain: true }));
    const opened = (_applicationId: string, name: string) =>
      Promise.resolve(name === 'erp' && members ? { type: 'http', enabled: true, members } : undefined);
    const full = { uriTemplate: `${origin}/a`, responsePath: 'working.r', ...config };
    return (await runNode(httpNode, full, payload, { ports: { http, credentials: { opened } } })).payload;
  };

  it('writes the response of any status, with JSON of any content type as a value', async () => {
    answer = { status: 404, headers: { 'content-type': 'text/html', 'X-A': 'b' }, body: '{"e":1}' };
    const config = { uriTemplate: '{{globals.base}}/a?x={{data.x}}', errorBehavior: 'payloadPath' };
    const payload = { globals: { base: origin }, data: { x: 5 } };
    expect((await execute({ ...config, errorPath: 'working.r' }, payload)).working.r).toMatchObject({
      statusCode: 404,
      headers: { 'content-type': 'text/html', 'x-a': 'b' },
      body: { e: 1 },
      request: { method: 'GET', uri: `${origin}/a?x=5` },
      requestDuration: expect.any(Number),
    });
    expect(seen).toMatchObject([{ method: 'GET', url: '/a?x=5' }]);
  });

  it.each([
    ['', 'plain', 'plain'],
    ['', '', ''],
    ['', '['.repeat(200) + ']'.repeat(200), '['.repeat(200) + ']'.repeat(200)],
    ['base64', '1234', 'MTIzNA=='],
    ['hex', '12', '3132'],
  ])('decodes a body with the encoding %j', async (encodingTemplate, body, expected) => {
    answer = { body };
    expect((await execute({ encodingTemplate })).working.r.body).toBe(expected);
  });

  const fields = [
    { keyTemplate: 'a', valueTemplate: '{{data.n}} &' },
    { keyTemplate: 'b', valueTemplate: '' },
    { keyTemplate: '', valueTemplate: 'ignored' },
  ];
  it.each([
    [{ bodyTemplate: 'n is {{data.n}}' }, undefined, 'n is 5'],
    [{ bodyTemplate: '6e', requestEncodingTemplate: 'hex' }, undefined, 'n'],
    [{ bodyType: 'none', bodyTemplate: 'x' }, undefined, ''],
    [{ bodyType: 'jsonTemplate', bodyTemplate: '{"n": {{data.n}}}' }, 'application/json', '{"n": 5}'],
    [{ bodyType: 'jsonTemplate', bodyTemplate: '{{data}}' }, 'application/json', '{"n":5,"list":[5]}'],
    [{ bodyType: 'jsonTemplate', bodyTemplate: '{{data.list}}' }, 'application/json', '[5]'],
    [{ bodyType: 'urlencoded', bodyFields: fields }, 'application/x-www-form-urlencoded', 'a=5+%26&b='],
  ])('sends the body %j', async (config, type, body) => {
    await execute({ method: 'POST', ...config }, { data: { n: 5, list: [5] } });
    expect(seen).toMatchObject([{ method: 'POST', body }]);
    expect(seen[0]!.headers['content-type']).toBe(type);
  });

  it('sends a form with parts', async () => {
    await execute({ method: 'PUT', bodyType: 'multipart', bodyFields: fields }, { data: { n: 5 } });
    const form = await new Response(seen[0]!.body, {
      headers: { 'content-type': seen[0]!.headers['content-type']! },
    }).formData();
    expect([...form]).toEqual([
      ['a', '5 &'],
      ['b', ''],
    ]);
  });

  it('sends the content of a URL', async () => {
    answer = { headers: { 'content-type': 'text/csv' }, body: 'a,b' };
    await execute({ method: 'POST', bodyType: 'url', bodyTemplate: `${origin}/file` });
    expect(seen).toMatchObject([{ url: '/file' }, { url: '/a', body: 'a,b' }]);
    expect(seen[1]!.headers['content-type']).toBe('text/csv');
    answer = { status: 404 };
    await expect(
      execute({ method: 'POST', bodyType: 'url', bodyTemplate: `${origin}/file` }),
    ).rejects.toMatchObject({ name: 'RequestError' });
  });

  it('sends headers, which replace those of the body, and a key that is the same in a repeated run', async () => {
    const headerInfo = [
      { key: 'X-N', valueTemplate: '{{data.n}}' },
      { key: 'Content-Type', valueTemplate: 'application/problem+json' },
      { key: '', valueTemplate: 'ignored' },
    ];
    const config = { method: 'POST', bodyType: 'jsonTemplate', bodyTemplate: '1', headerInfo };
    await execute(config, { data: { n: 5 } });
    await execute({ ...config, headerInfo: [{ key: 'Idempotency-Key', valueTemplate: 'own' }] });
    await execute({});
    expect(seen[0]!.headers).toMatchObject({
      'x-n': '5',
      'content-type': 'application/problem+json',
      'idempotency-key': 'effect',
    });
    expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['effect', 'own', undefined]);
  });

  it.each(['GET', 'DELETE', 'HEAD'])('sends no body with %s', async (method) => {
    await execute({ method, bodyTemplate: 'x' });
    expect(seen).toMatchObject([{ method, body: '' }]);
  });

  it('follows redirects unless it is told not to', async () => {
    expect((await execute({ uriTemplate: `${origin}/moved` })).working.r.statusCode).toBe(200);
    const config = { uriTemplate: `${origin}/moved`, disableRedirects: true };
    expect((await execute(config)).working.r.statusCode).toBe(302);
  });

  const BASIC = `Basic ${Buffer.from('ann:p@ss').toString('base64')}`;

  it('authenticates with user name and password, also of the URL, without showing the header', async () => {
    const authCredentials = { usernameTemplate: '{{data.u}}', passwordTemplate: 'p@ss' };
    const { working } = await execute({ authType: 'basic', authCredentials }, { data: { u: 'ann' } });
    await execute({ uriTemplate: `${origin.replace('//', '//ann:p%40ss@')}/a` });
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([BASIC, BASIC]);
    expect(working.r.request.headers).toEqual({});
  });

  it.each<[string, Members, Partial<Seen>]>([
    ['header', { publicValue: 'X-Api-Key', secretValue: 'Zx8pQ4' }, { headers: { 'x-api-key': 'Zx8pQ4' } }],
    ['queryParam', { publicValue: 'key', secretValue: 's&' }, { url: '/a?key=s%26' }],
    ['basicAuth', { publicValue: 'ann', secretValue: 'p@ss' }, { headers: { authorization: BASIC } }],
  ])(
    'authenticates with a credential of the method %s, which the payload does not show',
    async (method, members, expected) => {
      const credential = { uriMatch: `${origin}/*`, authMethod: method, ...members };
      const config = { authType: 'credential', credentialNameTemplate: 'erp' };
      const absolute = await execute(config, {}, credential);
      const relative = await execute({ ...config, uriTemplate: '/a' }, {}, credential);
      expect(seen).toMatchObject([expected, expected]);
      for (const payload of [absolute, relative])
        expect(JSON.stringify(payload)).not.toContain(members.secretValue);
    },
  );

  it.each([
    ['https://api.example.com/*', 'https://api.example.com.evil.example/'],
    ['https://api.example.com*', 'https://api.example.com.evil.example/'],
    ['https://api.example.com', 'https://api.example.comx/'],
    ['https://*.example.com/*', 'https://evil.example/a.example.com/'],
    ['https://api.example.com/v1', 'https://api.example.com/v10'],
    ['https://api.example.com/v1/*', '../v2'],
    ['https://api.example.com/v1/*', 'http://api.example.com/v1/'],
    ['https://api.example.com/*', 'https://u@api.example.com/'],
  ])('does not send a credential for %s to %s', async (uriMatch, uriTemplate) => {
    const config = { authType: 'credential', credentialNameTemplate: 'erp', uriTemplate };
    const members = { uriMatch, authMethod: 'header', publicValue: 'x', secretValue: 's' };
    await expect(execute(config, {}, members)).rejects.toMatchObject({
      name: 'ValidationError',
      message: 'uriTemplate is not a URL of the credential',
    });
  });

  it('writes failures of the transport to a path if so configured', async () => {
    const config = { uriTemplate: 'http://127.0.0.1:8099/', errorBehavior: 'payloadPath', errorPath: 'e' };
    expect((await execute(config)).e).toEqual({
      name: 'RequestError',
      message: 'The other server cannot be reached',
      request: { method: 'GET', uri: 'http://127.0.0.1:8099/', headers: {} },
    });
    await expect(execute({ ...config, errorBehavior: 'throw' })).rejects.toMatchObject({
      name: 'RequestError',
    });
  });

  it.each<[string, object]>([
    ['without a URL', { uriTemplate: '{{missing}}' }],
    ['with a body that is no JSON', { method: 'POST', bodyType: 'jsonTemplate', bodyTemplate: '{' }],
    ['with an unknown encoding', { encodingTemplate: 'utf9' }],
    ['with an unknown credential', { authType: 'credential', credentialNameTemplate: 'other' }],
    ['of a file on a device', { method: 'POST', bodyType: 'diskPath' }],
  ])('fails the run %s, whatever happens to errors', async (_title, config) => {
    const whole = { ...config, errorBehavior: 'payloadPath', errorPath: 'e' };
    await expect(execute(whole)).rejects.toMatchObject({ name: 'ValidationError' });
    expect(seen).toEqual([]);
  });
});
