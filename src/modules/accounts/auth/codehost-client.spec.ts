import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Unauthorized, Unavailable } from '../../../lib/errors/errors.js';
import { SafeHttp } from '../../../lib/http/safe-http.js';
import { CodehostClient } from './codehost-client.js';

const TOKEN = 'gho_16C7e42F292c6912E7710c838347Ae178B4a';
/** Excerpt of a GitHub response. */
const ACCOUNT = {
  login: 'octocat',
  id: 583231,
  node_id: 'MDQ6VXNlcjE=',
  type: 'User',
  name: 'The Octocat',
  email: 'claimed@example.com',
  bio: null,
};
const ADDRESSES = [
  { email: 'octocat@example.com', primary: true, verified: true, visibility: 'public' },
  { email: 'unverified@example.com', primary: false, verified: false, visibility: null },
  { email: 'second@example.com', primary: false, verified: true, visibility: null },
];

const json = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));

describe('CodehostClient', () => {
  const servers: Server[] = [];
  let seen: { url?: string; authorization?: string; accept?: string; agent?: string }[];

  async function listen(answer: RequestListener): Promise<string> {
    const server = createServer(answer);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Starts a provider with two replaceable responses, and returns its client. */
  async function provider(
    answers: { user?: RequestListener; emails?: RequestListener } = {},
    base = '',
  ): Promise<CodehostClient> {
    const origin = await listen((request, response) => {
      const { authorization, accept, 'user-agent': agent } = request.headers;
      seen.push({ url: request.url, authorization, accept, agent });
      const path = request.url?.slice(base.length).split('?')[0];
      if (authorization !== `Bearer ${TOKEN}`) return json(response, { message: 'Bad credentials' }, 401);
      if (path === '/user') return answers.user ? answers.user(request, response) : json(response, ACCOUNT);
      if (path === '/user/emails')
        return answers.emails ? answers.emails(request, response) : json(response, ADDRESSES);
      return json(response, { message: 'Not Found' }, 404);
    });
    return new CodehostClient(origin + base, new SafeHttp({ allowedOrigins: [origin] }));
  }

  const expectUnavailable = (identified: Promise<unknown>) =>
    expect(identified).rejects.toThrow(new Unavailable('The code-hosting provider does not respond'));
  const expectUnauthorized = (identified: Promise<unknown>) =>
    expect(identified).rejects.toThrow(new Unauthorized('Code-hosting access token is not valid'));

  beforeEach(() => (seen = []));
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('returns the owner of a token with verified addresses only', async () => {
    const client = await provider();
    expect(await client.identify(TOKEN)).toEqual({
      id: '583231',
      login: 'octocat',
      name: 'The Octocat',
      verifiedEmails: ['octocat@example.com', 'second@example.com'],
    });
  });

  it('sends the headers that the API requires', async () => {
    await (await provider()).identify(TOKEN);
    const headers = {
      authorization: `Bearer ${TOKEN}`,
      accept: 'application/vnd.github+json',
      agent: 'fieldwright',
    };
    expect(seen).toHaveLength(2);
    expect(seen).toEqual(
      expect.arrayContaining([
        { url: '/user', ...headers },
        { url: '/user/emails?per_page=100', ...headers },
      ]),
    );
  });

  it('supports a provider with a path in its URL', async () => {
    const client = await provider({}, '/api/v3');
    expect(await client.identify(TOKEN)).toMatchObject({ login: 'octocat' });
  });

  it.each([{ name: null }, { name: '' }, { name: undefined }])(
    'accepts a missing name (%j)',
    async (name) => {
      const client = await provider({
        user: (_request, response) => json(response, { ...ACCOUNT, ...name }),
      });
      expect(await client.identify(TOKEN)).not.toHaveProperty('name');
    },
  );

  it.each([403, 404])('returns no verified addresses if the token cannot read them (%i)', async (status) => {
    const client = await provider({
      emails: (_request, response) => json(response, { message: 'no' }, status),
    });
    expect(await client.identify(TOKEN)).toMatchObject({ id: '583231', verifiedEmails: [] });
  });

  describe('rejects a token', () => {
    it('that the provider does not know', async () => {
      await expectUnauthorized((await provider()).identify('gho_other'));
    });

    it.each([401, 403])('for which the provider returns %i', async (status) => {
      const user: RequestListener = (_request, response) => response.writeHead(status).end('<html>no</html>');
      await expectUnauthorized((await provider({ user })).identify(TOKEN));
    });

    it('that expires between the two requests', async () => {
      const emails: RequestListener = (_request, response) =>
        json(response, { message: 'Bad credentials' }, 401);
      await expectUnauthorized((await provider({ emails })).identify(TOKEN));
    });

    it.each(['', ' ', 'a b', 'a\r\nx-admin: 1', 'a\0', 'ключ', 'a'.repeat(4097)])(
      'that has an invalid format (%j), without a request',
      async (token) => {
        await expectUnauthorized((await provider()).identify(token));
        expect(seen).toEqual([]);
      },
    );
  });

  describe('reports the provider as unavailable when it', () => {
    it('is down', async () => {
      const client = await provider();
      await new Promise((resolve) => servers.pop()?.close(resolve));
      await expectUnavailable(client.identify(TOKEN));
    });

    it('times out', async () => {
      await expectUnavailable(
        (await provider({ user: () => undefined, emails: () => undefined })).identify(TOKEN),
      );
    });

    const answers: [string, RequestListener][] = [
      ['fails', (_request, response) => json(response, { message: 'oops' }, 500)],
      ['limits the rate', (_request, response) => json(response, { message: 'slow down' }, 429)],
      ['answers without content', (_request, response) => response.writeHead(204).end()],
      [
        'answers HTML',
        (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>'),
      ],
      ['answers broken JSON', (_request, response) => response.end('{"id": 1, "login": "octo')],
      [
        'answers too much',
        (_request, response) => response.end(JSON.stringify([ACCOUNT, 'x'.repeat(1024 * 1024)])),
      ],
      ['hangs up', (request) => request.socket.destroy()],
      [
        'redirects to a private address',
        (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:80/' }).end(),
      ],
      [
        'redirects in circles',
        (request, response) => response.writeHead(302, { location: request.url }).end(),
      ],
      ...[null, 1, 'octocat', {}, [[]], [null]].map((body): [string, RequestListener] => [
        `answers ${JSON.stringify(body)}`,
        (_request, response) => json(response, body),
      ]),
    ];
    it.each(answers)('%s on the account request', async (_kind, user) => {
      await expectUnavailable((await provider({ user })).identify(TOKEN));
    });
    it.each(answers)('%s on the addresses request', async (_kind, emails) => {
      await expectUnavailable((await provider({ emails })).identify(TOKEN));
    });

    it.each<object>([
      { id: '583231' },
      { id: 0 },
      { id: -1 },
      { id: 1.5 },
      { id: 2 ** 53 },
      { id: null },
      { login: '' },
      { login: 7 },
      { login: 'x'.repeat(256) },
      { name: 7 },
      { name: {} },
    ])('returns the account %j', async (odd) => {
      const client = await provider({ user: (_request, response) => json(response, { ...ACCOUNT, ...odd }) });
      await expectUnavailable(client.identify(TOKEN));
    });

    it.each<object>([
      { email: null },
      { email: '' },
      { email: ['a@b'] },
      { verified: 'true' },
      { verified: 1 },
      { verified: undefined },
    ])('returns the address %j', async (odd) => {
      const client = await provider({
        emails: (_request, response) => json(response, [{ ...ADDRESSES[0], ...odd }]),
      });
      await expectUnavailable(client.identify(TOKEN));
    });
  });

  it('ignores an identity in __proto__', async () => {
    const user: RequestListener = (_request, response) =>
      response.end(`{"__proto__":${JSON.stringify(ACCOUNT)}}`);
    await expectUnavailable((await provider({ user })).identify(TOKEN));
  });

  it('does not send the token to another server', async () => {
    const stolen: unknown[] = [];
    const other = await listen((request, response) => {
      stolen.push(request.headers.authorization);
      json(response, ACCOUNT);
    });
    const origin = await listen((request, response) =>
      response.writeHead(302, { location: other + request.url }).end(),
    );
    const client = new CodehostClient(origin, new SafeHttp({ allowedOrigins: [origin, other] }));
    await expectUnavailable(client.identify(TOKEN));
    expect(stolen).toEqual([undefined, undefined]);
  });
});
