import { operationsOf } from '../../src/openapi/operations.js';
import { Sender, type RawAnswer, type RawRequest } from './hostile/send.js';
import { makeApplication, uniqueName } from '../make/make.js';
import { suite } from '../setup/suite.js';
import { waitUntil } from '../setup/until.js';

const ORIGIN = 'https://app.example.com';
const ID = '575ec8687ae143cd83dc4a97';
const READABLE = ['x-request-id', 'retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];

/** Splits a header that lists names. */
const namesIn = (header: string | string[] | undefined) => String(header).toLowerCase().split(/, */);

/** Sends requests to the platform as a page of an origin would. */
function pageOf(test: { client: { url: string } }, origin = ORIGIN) {
  let sender: Sender;
  beforeAll(() => {
    sender = new Sender(test.client.url);
  });
  afterAll(() => sender.close());
  return {
    send: (asked: RawRequest): Promise<RawAnswer> =>
      sender.send({ ...asked, headers: { origin, ...asked.headers } }),
    preflight: (path: string, method = 'GET', asked = 'authorization,content-type'): Promise<RawAnswer> =>
      sender.send({
        method: 'OPTIONS',
        path,
        headers: {
          origin,
          'access-control-request-method': method,
          'access-control-request-headers': asked,
        },
      }),
  };
}

describe('CORS with all origins allowed', () => {
  const { test, user } = suite({}, { retries: false });
  const { send, preflight } = pageOf(test);

  it('allows every operation, with preflights cached for a day', async () => {
    const operations = operationsOf(test.document);
    for (const { method, path } of operations) {
      const { status, headers, text } = await preflight(path.replace(/\{\w+\}/g, ID), method.toUpperCase());
      expect({ path, status, text }).toEqual({ path, status: 204, text: '' });
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-headers': 'authorization,content-type',
        'access-control-max-age': '86400',
        'x-request-id': expect.any(String),
      });
      expect(namesIn(headers['access-control-allow-methods'])).toContain(method);
      expect(namesIn(headers.vary)).toEqual(expect.arrayContaining(['origin']));
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
    expect(operations.length).toBeGreaterThan(100);
  });

  it.each<[string, number, () => RawRequest]>([
    [
      'an answer',
      200,
      () => ({ method: 'GET', path: '/me', headers: { authorization: `Bearer ${user.token}` } }),
    ],
    [
      'a list',
      200,
      () => ({ method: 'GET', path: '/applications', headers: { authorization: `Bearer ${user.token}` } }),
    ],
    ['the document', 200, () => ({ method: 'GET', path: '/openapi.json' })],
    ['what is refused for want of a token', 401, () => ({ method: 'GET', path: '/me' })],
    ['a path that is none', 404, () => ({ method: 'GET', path: '/nowhere' })],
    ['a verb that is none', 405, () => ({ method: 'PUT', path: '/me' })],
    ['a bad encoding', 400, () => ({ method: 'GET', path: `/applications/%zz` })],
    [
      'a body that is none',
      400,
      () => ({
        method: 'POST',
        path: '/auth/user',
        headers: { 'content-type': 'application/json' },
        body: '{',
      }),
    ],
    [
      'a form',
      415,
      () => ({ method: 'POST', path: '/auth/user', headers: { 'content-type': 'text/plain' }, body: 'a' }),
    ],
  ])('lets pages read %s', async (_title, status, asked) => {
    const { headers, ...answer } = await send(asked());
    expect(answer.status).toBe(status);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(namesIn(headers.vary)).toContain('origin');
    expect(namesIn(headers['access-control-expose-headers'])).toEqual(expect.arrayContaining(READABLE));
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('lets pages read the Retry-After header', async () => {
    const { id } = await makeApplication(test, user.token);
    const made = await test.client.post(`/applications/${id}/webhooks`, { name: uniqueName() }, user);
    const path = `/webhooks/${made.body.token}`;
    let refused: Awaited<ReturnType<typeof send>> | undefined;
    // A slow machine may admit all of them, because the limit grows with time.
    await waitUntil(async () => {
      const answers = await Promise.all(Array.from({ length: 130 }, () => send({ method: 'POST', path })));
      refused = answers.find(({ status }) => status === 429);
      return refused !== undefined;
    });
    expect(refused!.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'retry-after': expect.any(String),
    });
  });

  it('answers preflights of webhooks without calling them', async () => {
    expect((await preflight(`/webhooks/${uniqueName()}`, 'POST')).status).toBe(204);
  });

  it('does not affect requests without an Origin header', async () => {
    const { headers } = await test.client.get('/me', { token: user.token });
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('vary')).toMatch(/^origin/i);
    const options = await test.client.request('OPTIONS', '/me', { headers: { origin: ORIGIN } });
    expect(options.status).toBe(405);
  });
});

describe('CORS with listed origins', () => {
  const { test } = suite({ CORS_ORIGINS: `https://other.example.com, ${ORIGIN.toUpperCase()}` });
  const named = pageOf(test);
  const stranger = pageOf(test, 'https://evil.example.com');

  it('accepts a listed origin', async () => {
    for (const { headers } of [
      await named.send({ method: 'GET', path: '/me' }),
      await named.preflight('/me'),
    ]) {
      expect(headers['access-control-allow-origin']).toBe(ORIGIN);
      expect(namesIn(headers.vary)).toContain('origin');
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
  });

  it('does not accept an unlisted origin', async () => {
    for (const { headers } of [
      await stranger.send({ method: 'GET', path: '/me' }),
      await stranger.preflight('/me'),
    ]) {
      expect(headers).not.toHaveProperty('access-control-allow-origin');
      expect(namesIn(headers.vary)).toContain('origin');
    }
  });
});

describe('A worker process', () => {
  const { test } = suite({ PROCESS_ROLE: 'worker' });
  const { preflight } = pageOf(test);

  it('does not respond to preflights', async () => {
    expect((await preflight('/me')).status).toBe(404);
  });
});
