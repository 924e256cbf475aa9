import { SITES, sitesPort, TestSite } from '../../../test/make/sites.js';
import { suite } from '../../../test/setup/suite.js';

const { test, user, application } = suite(SITES, { database: 'own' });
let site: TestSite;

beforeEach(() => {
  site = new TestSite(test, user, application);
});

const DEFAULTS = {
  'cache-control': 'no-cache, no-store, must-revalidate',
  pragma: 'no-cache',
  'x-content-type-options': 'nosniff',
  'x-xss-protection': '1; mode=block',
};
const header = (keyTemplate: string, valueTemplate: string) => ({ keyTemplate, valueTemplate });

describe('The headers of a response', () => {
  it('are the defaults, those of the version and those of the reply, in ascending order', async () => {
    await site.replying('/plain', { bodyTemplate: 'plain' });
    await site.replying('/own', {
      bodyTemplate: '{}',
      headerInfo: [
        header('Content-Type', 'application/json'),
        header('Cache-Control', 'public, max-age=60'),
        header('X-Both', 'reply'),
        header('Content-Length', '999'),
        header('Connection', 'upgrade'),
      ],
    });
    const plain = await site.visit('/plain');
    expect(plain.headers).toMatchObject({
      ...DEFAULTS,
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '5',
    });
    expect(plain.headers).not.toHaveProperty('strict-transport-security');
    expect(plain.headers).not.toHaveProperty('x-powered-by');
    expect(plain.headers).not.toHaveProperty('access-control-allow-origin');
    await site.call('patch', 'experience/versions/develop', {
      responseHeaders: {
        'X-Both': 'version',
        'X-Version': 'v',
        'X-Content-Type-Options': 'none',
        Pragma: 'cache',
      },
    });
    const own = await site.visit('/own');
    expect(own.headers).toMatchObject({
      ...DEFAULTS,
      'content-type': 'application/json',
      'cache-control': 'public, max-age=60',
      'x-both': 'reply',
      'x-version': 'v',
      'x-content-type-options': 'none',
      pragma: 'cache',
      'content-length': '2',
    });
    for (const path of ['/missing', '/%zz'])
      expect((await site.visit(path)).headers).toMatchObject({
        'x-version': 'v',
        'content-type': 'application/json; charset=utf-8',
      });
  });

  it('cannot be ended or added to by values', async () => {
    await site.replying('/header', { headerInfo: [header('X', '{{data.query.x}}')] });
    await site.endpoint('/redirect', { staticReply: { type: 'redirect', value: '/{{{request.query.to}}}' } });
    expect((await site.visit('/header?x=a%09b')).headers.x).toBe('a\tb');
    const redirected = await site.visit('/redirect?to=a%0d%0aSet-Cookie:%20x=y%0d%0a%0d%0a<script>%C3%A4');
    expect(redirected.headers).not.toHaveProperty('set-cookie');
    expect(redirected.headers.location).toBe('/a%0D%0ASet-Cookie:%20x=y%0D%0A%0D%0A<script>%C3%A4');
  });

  it('set cookies for the site only', async () => {
    const cookies = [
      'a=1',
      'b=2; Domain=sites.test',
      'c=3; domain=.SITES.test; Path=/x',
      `d=4; Domain=${site.host}`,
      'e=5; Domain=evil.example.com; Secure',
      'f=6; SameSite=None',
    ];
    await site.replying('/cookies', {
      headerInfo: cookies.map((cookie) => header('Set-Cookie', cookie)),
      cookieInfo: [
        { nameTemplate: 'g', valueTemplate: 'ä;', maxAgeTemplate: '60000', pathTemplate: '/p' },
        { nameTemplate: 'h' },
      ],
    });
    const { headers } = await site.visit('/cookies');
    expect(headers['set-cookie']).toEqual([
      'a=1',
      'b=2',
      'c=3; Path=/x',
      `d=4; Domain=${site.host}`,
      'e=5; Secure',
      'f=6; SameSite=None',
      expect.stringMatching(/^g=%C3%A4%3B; Path=\/p; Max-Age=60; Expires=[^;]+; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(
        /^h=; Path=\/; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax$/,
      ),
    ]);
  });
});

describe('A redirect', () => {
  it.each<[object, number, string]>([
    [{ bodyTemplate: '/login' }, 302, '/login'],
    [{ bodyTemplate: '/login', responseCodeTemplate: '301' }, 301, '/login'],
    [{ bodyTemplate: '/login', responseCodeTemplate: '200' }, 302, '/login'],
    [{ bodyTemplate: '?error={{{data.query.e}}}' }, 302, '?error=Missing%20or%20invalid%20fields.'],
    [{ bodyTemplate: '{{path}}?success=true' }, 302, '?success=true'],
    [{ bodyTemplate: 'https://example.com/%20?a=ä' }, 302, 'https://example.com/%20?a=%C3%A4'],
    [{ bodyTemplateType: 'path', bodyTemplate: 'data.query.to' }, 302, '/there'],
  ])('by a workflow with %j has %i to %s', async (config, status, location) => {
    await site.replying('/r', { replyType: 'redirect', ...config });
    const answer = await site.visit('/r?e=Missing%20or%20invalid%20fields.&to=/there');
    expect([answer.status, answer.headers.location, answer.text]).toEqual([status, location, '']);
  });

  it.each<[object, number, string]>([
    [{ value: '/home' }, 301, '/home'],
    [{ value: '/home', statusCode: 307 }, 307, '/home'],
    [{ value: '/home', statusCode: 404 }, 301, '/home'],
    [{ value: '/u/{{request.params.id}}?v={{experience.version}}' }, 301, '/u/1?v=develop'],
  ])('by a static reply with %j has %i to %s', async (reply, status, location) => {
    await site.endpoint('/s/{id}', { staticReply: { type: 'redirect', ...reply } });
    expect(await site.visit('/s/1')).toMatchObject({ status, headers: { location } });
  });

  it('that cannot be rendered is an error without details of the platform', async () => {
    await site.endpoint('/broken', { staticReply: { type: 'redirect', value: '{{#if}}' } });
    const { status, json } = await site.visit('/broken');
    expect([status, json.error]).toEqual([500, expect.stringMatching(/^The redirect cannot be rendered: /)]);
  });
});

describe('A request that no endpoint matches', () => {
  it('is answered by the reply of the version', async () => {
    const page = await site.view('page', 'missing', 'No {{request.path}}');
    const reply = (notFoundReply: object | null) =>
      site.call('patch', 'experience/versions/develop', { notFoundReply });
    await reply({ type: 'page', value: page.id });
    expect(await site.visit('/x')).toMatchObject({ status: 404, text: 'No /x' });
    await reply({ type: 'page', value: page.id, statusCode: 410 });
    expect(await site.visit('/x', { method: 'POST' })).toMatchObject({ status: 410, text: 'No /x' });
    await reply({ type: 'redirect', value: '/' });
    expect(await site.visit('/x')).toMatchObject({ status: 302, headers: { location: '/' } });
    await reply(null);
    expect(await site.visit('/x', { method: 'PROPFIND' })).toMatchObject({
      status: 404,
      text: '{"error":"No endpoint found for route"}',
    });
  });
});

describe('Requests of other origins', () => {
  const preflight = (origin = 'https://app.example.com', path = '/api') =>
    site.visit(path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'x-own, authorization',
      },
    });
  const settings = (body: object) => site.call('patch', 'experience/versions/develop', body);
  beforeEach(() => site.replying('/api', { bodyTemplate: 'api' }));

  it('have no headers unless they are enabled', async () => {
    expect((await preflight()).status).toBe(404);
    const answer = await site.visit('/api', { headers: { origin: 'https://app.example.com' } });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('are all allowed if no origins are listed', async () => {
    await settings({ endpointDefaultCors: true });
    const asked = await preflight();
    expect([asked.status, asked.text]).toEqual([204, '']);
    expect(asked.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': expect.stringContaining('PUT'),
      'access-control-allow-headers': 'x-own, authorization',
      'access-control-max-age': '600',
    });
    const answer = await site.visit('/api');
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': expect.any(String),
    });
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
    expect((await site.visit('/missing')).headers['access-control-allow-origin']).toBe('*');
  });

  it('are echoed if they are listed', async () => {
    await settings({ endpointDefaultCors: true, allowedCorsOrigins: ['https://app.example.com'] });
    expect((await preflight()).headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example.com',
      vary: expect.stringContaining('Origin'),
    });
    for (const origin of ['https://evil.example.com', 'null', 'https://app.example.com.evil.example']) {
      const answer = await site.visit('/api', { headers: { origin } });
      expect(answer.text).toBe('api');
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
      expect(answer.headers.vary).toBe('Origin');
    }
  });

  it('are answered by the OPTIONS endpoint of the author', async () => {
    await settings({ endpointDefaultCors: true });
    await site.replying('/api', { bodyTemplate: 'mine' }, { method: 'options' });
    expect(await preflight()).toMatchObject({ status: 200, text: 'mine' });
  });
});

describe('A reply', () => {
  it('of the experience never has a status that announces another response', async () => {
    const { id } = await site.view('page', 'still', 'Still');
    await site.endpoint('/still', { staticReply: { type: 'page', value: id, statusCode: 101 } });
    expect((await site.visit('/still')).status).toBe(200);
  });

  it('with a status that has no body has none', async () => {
    await site.replying('/none', { bodyTemplate: 'text', responseCodeTemplate: '204' });
    const { status, text, headers } = await site.visit('/none');
    expect([status, text, headers['content-length']]).toEqual([204, '', undefined]);
  });

  it('does not come for a client that is gone, and others go on', async () => {
    await site.replying('/quick', { bodyTemplate: 'quick' });
    await site.endpoint('/slow');
    const controller = new AbortController();
    const gone = fetch(`http://127.0.0.1:${sitesPort(test)}/slow`, {
      headers: { host: site.host },
      signal: controller.signal,
    });
    controller.abort();
    await expect(gone).rejects.toThrow();
    expect((await site.visit('/quick')).text).toBe('quick');
  });
});
