import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startApp, type TestApp } from '../../../../test/setup/app.js';
import { makeUser, PASSWORD, uniqueName } from '../../../../test/make/make.js';
import { unfolded } from '../../../../test/make/folding.js';
import { BEHIND_PROXY, claimsOf, clientAddress, signIn } from '../../../../test/make/sign-in.js';
import { User } from '../users/user.entity.js';

/** An account at the provider, whose token is its login. */
interface Account {
  id: number;
  login: string;
  emails: { email: string; verified: boolean }[];
}

let nextId = 1000;
const accounts = new Map<string, Account>();
/** Custom responses of the provider, by token. */
const odd = new Map<string, RequestListener>();

const json = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** A provider with GitHub's user API. */
const provider: Server = createServer((request, response) => {
  const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
  const answer = odd.get(token);
  if (answer) return answer(request, response);
  const account = accounts.get(token);
  if (!account) return json(response, { message: 'Bad credentials' }, 401);
  const path = request.url!.split('?')[0];
  if (path === '/user')
    return json(response, { id: account.id, login: account.login, email: account.emails[0]?.email });
  if (path === '/user/emails') return json(response, account.emails);
  return json(response, { message: 'Not Found' }, 404);
});

function makeAccount(email: string, verified = true): Account {
  const account = { id: nextId++, login: uniqueName('octo'), emails: [{ email, verified }] };
  accounts.set(account.login, account);
  return account;
}

let test: TestApp;
beforeAll(async () => {
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const CODEHOST_API_URL = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  test = await startApp({ ...BEHIND_PROXY, CODEHOST_API_URL }, { retries: false });
});
afterAll(async () => {
  await test.close();
  provider.closeAllConnections();
  await new Promise((resolve) => provider.close(resolve));
});

const withToken = (accessToken: string, more: object = {}, on = test) =>
  on.client.post('/auth/user/codehost', { accessToken, ...more }, { headers: clientAddress() });
const signInAs = ({ login }: Account, more?: object) => withToken(login, more);
const expectNotLinked = ({ status, body }: Awaited<ReturnType<typeof signInAs>>) => {
  expect(status).toBe(401);
  expect(body).toEqual({ type: 'Unauthorized', message: 'No user is linked to this identity' });
};

describe('POST /auth/user/codehost', () => {
  it('signs in the linked user, regardless of the addresses of the account', async () => {
    const account = makeAccount(`${uniqueName()}@example.com`);
    const { id } = await makeUser(test, { codehostId: String(account.id) });
    const { status, body } = await signInAs(account);
    expect(status).toBe(200);
    expect(body).toEqual({ userId: id, token: expect.any(String) });
    expect((await test.client.get('/me', { token: body.token })).body.githubName).toBe(account.login);
  });

  it('issues a token with the requested scopes and lifetime', async () => {
    const { email } = await makeUser(test);
    const account = makeAccount(email);
    const usual = claimsOf((await signInAs(account)).body.token);
    expect(usual.scope).toEqual(['all.User']);
    expect(usual.exp! - usual.iat).toBeCloseTo(86_400, 3);
    const asked = { requestedScopes: ['orgs.get'], tokenTTL: 60 };
    const { scope, iat, exp } = claimsOf((await signInAs(account, asked)).body.token);
    expect(scope).toEqual(['orgs.get']);
    expect(exp! - iat).toBeCloseTo(60, 3);
    expect(claimsOf((await signInAs(account, { tokenTTL: 0 })).body.token)).not.toHaveProperty('exp');
  });

  it('links the user with the same verified address, ignoring case', async () => {
    const { id, email } = await makeUser(test, { failedLoginCount: 3 });
    const account = makeAccount(`first-${email}`);
    account.emails.push({ email: email.toUpperCase(), verified: true });
    expect((await signInAs(account)).body.userId).toBe(id);
    expect(await test.dataSource.manager.findOneByOrFail(User, { id })).toMatchObject({
      codehostId: String(account.id),
      lastSuccessfulLogin: expect.any(Date),
      failedLoginCount: 0,
    });
  });

  it('recognizes a linked user after the addresses have changed on either side', async () => {
    const { id, email } = await makeUser(test);
    const account = makeAccount(email);
    expect((await signInAs(account)).body.userId).toBe(id);
    account.emails = [{ email: `${uniqueName()}@example.com`, verified: true }];
    await test.dataSource.manager.update(User, { id }, { email: `${uniqueName()}@example.com` });
    expect((await signInAs(account)).body.userId).toBe(id);
  });

  it('prefers the link over an address that belongs to another user', async () => {
    const other = await makeUser(test);
    const account = makeAccount(other.email);
    const { id } = await makeUser(test, { codehostId: String(account.id) });
    expect((await signInAs(account)).body.userId).toBe(id);
  });

  it('links one identity per user: rejects a second identity with the same address', async () => {
    const { id, email } = await makeUser(test);
    const first = makeAccount(email);
    expect((await signInAs(first)).body.userId).toBe(id);
    expectNotLinked(await signInAs(makeAccount(email)));
    expect((await signInAs(first)).body.userId).toBe(id);
  });

  it('links one of two concurrent identities with the same address', async () => {
    const { id, email } = await makeUser(test);
    const both = [makeAccount(email), makeAccount(email)];
    const answers = await Promise.all(both.map((account) => signInAs(account)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    const winner = both[answers.findIndex(({ status }) => status === 200)]!;
    expect((await signInAs(winner)).body.userId).toBe(id);
  });

  it('links the same user when the first sign-in is sent twice concurrently', async () => {
    const { id, email } = await makeUser(test);
    const account = makeAccount(email);
    const answers = await Promise.all([signInAs(account), signInAs(account)]);
    expect(answers.map(({ status, body }) => [status, body.userId])).toEqual([
      [200, id],
      [200, id],
    ]);
  });

  it('does not link by an address that the provider has not verified', async () => {
    const { email } = await makeUser(test);
    expectNotLinked(await signInAs(makeAccount(email, false)));
  });

  it('does not match addresses that are equal only after lower-casing or normalization', async () => {
    const email = `ski-${uniqueName()}@example.com`;
    const { id } = await makeUser(test, { email });
    for (const odd of unfolded(email)) expectNotLinked(await signInAs(makeAccount(odd)));
    expect(await test.dataSource.manager.findOneByOrFail(User, { id })).toMatchObject({ codehostId: null });
  });

  it('does not link a user with an unverified address', async () => {
    const { email } = await makeUser(test, { emailVerified: false });
    expectNotLinked(await signInAs(makeAccount(email)));
  });

  it('rejects users who sign in through an identity provider', async () => {
    const linked = makeAccount(`${uniqueName()}@example.com`);
    const { email } = await makeUser(test, { ssoLinked: true, codehostId: String(linked.id) });
    expectNotLinked(await signInAs(linked));
    expectNotLinked(await signInAs(makeAccount(email)));
  });

  it('rejects an unknown identity and creates no user', async () => {
    const email = `${uniqueName()}@example.com`;
    expectNotLinked(await signInAs(makeAccount(email)));
    expect(await test.dataSource.manager.existsBy(User, { email })).toBe(false);
  });

  it('does not affect signing in with the password', async () => {
    const { id, email } = await makeUser(test);
    await signInAs(makeAccount(email));
    expect((await signIn(test, { email, password: PASSWORD })).body.userId).toBe(id);
  });

  it.each(['gho_unknown', 'ä', 'two words', 'new\nline'])('rejects the token %j', async (token) => {
    const { status, body } = await withToken(token);
    expect(status).toBe(401);
    expect(body).toEqual({ type: 'Unauthorized', message: 'Code-hosting access token is not valid' });
  });

  it.each<[string, unknown]>([
    ['no token', {}],
    ['a blank token', { accessToken: '' }],
    ['a long token', { accessToken: 'x'.repeat(1025) }],
    ['a token that is no text', { accessToken: 7 }],
    ['an unknown property', { accessToken: 'x', email: 'ada@example.com' }],
    ['an unknown scope', { accessToken: 'x', requestedScopes: ['*'] }],
    ['a negative life', { accessToken: 'x', tokenTTL: -1 }],
  ])('rejects %s with 400', async (_, body) => {
    const answer = await test.client.post('/auth/user/codehost', body, { headers: clientAddress() });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ type: 'Validation', message: expect.stringMatching(/^oauth\./) });
  });
});

describe('The provider', () => {
  const expectUnavailable = ({ status, body, headers }: Awaited<ReturnType<typeof withToken>>) => {
    expect(status).toBe(503);
    expect(body).toEqual({ type: 'Unavailable', message: 'The code-hosting provider does not respond' });
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
  };

  it.each<[string, RequestListener]>([
    ['answers 500', (_, response) => json(response, { message: 'oops' }, 500)],
    ['answers 429', (_, response) => json(response, { message: 'slow down' }, 429)],
    [
      'answers a page',
      (_, response) => response.setHeader('content-type', 'text/html').end('<html>Hello</html>'),
    ],
    ['answers nothing', (_, response) => response.end()],
    [
      'answers half',
      (_, response) =>
        void response.writeHead(200, { 'content-length': '99' }).write('{"id":1', () => response.destroy()),
    ],
    ['hangs up', (request) => request.socket.destroy()],
    ['is slow', () => undefined],
  ])('that %s causes a clear error within seconds', async (kind, answer) => {
    const token = kind.replaceAll(' ', '-');
    odd.set(token, answer);
    expectUnavailable(await withToken(token));
  });

  it('that is down causes a clear error', async () => {
    const down = await startApp(
      { ...BEHIND_PROXY, CODEHOST_API_URL: 'http://127.0.0.1:1' },
      { retries: false },
    );
    try {
      expectUnavailable(await withToken('gho_x', {}, down));
    } finally {
      await down.close();
    }
  });

  it('never causes tokens to be logged', async () => {
    const { email } = await makeUser(test);
    const account = makeAccount(email);
    const { body } = await signInAs(account);
    const log = test.log.join('');
    expect(log).toContain('/auth/user/codehost');
    for (const secret of [account.login, body.token]) expect(log).not.toContain(secret);
  });
});
