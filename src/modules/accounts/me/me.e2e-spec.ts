import type { TestApp } from '../../../../test/setup/app.js';
import { mailsTo } from '../../../../test/doubles/mails.js';
import {
  makeApplication,
  makeOrg,
  makeUser,
  PASSWORD,
  tokenOf,
  uniqueName,
  type TestUser,
} from '../../../../test/make/make.js';
import {
  BEHIND_PROXY,
  claimsOf,
  codeOf,
  freshAddress,
  clientAddress,
  makeApiToken,
  makeTwoFactorUser,
  signIn,
} from '../../../../test/make/sign-in.js';
import { suite } from '../../../../test/setup/suite.js';
import { usualCounts } from '../../../../test/make/summaries.js';
import { SsoDomain } from '../auth/auth.resource.js';
import { User } from '../users/user.entity.js';

const NEW_PASSWORD = 'Correct-Horse-77';
const WRONG = 'Wrong-Horse-7';

const { test, other } = suite(BEHIND_PROXY, { retries: false });

const get = (token: string, query = '') => test.client.get(`/me${query}`, { token });
const patch = (token: string, body: unknown, query = '', address?: string) =>
  test.client.patch(`/me${query}`, body, { token, headers: clientAddress(address) });
const statusOn = async (app: TestApp, token: string) => (await app.client.get('/me', { token })).status;

describe('GET /me', () => {
  it('returns the user without secrets', async () => {
    const { id, email, token } = await makeUser(test, {
      firstName: 'Ada',
      lastName: 'Lovelace',
      codehostId: uniqueName(),
    });
    const { status, body } = await get(token);
    expect(status).toBe(200);
    expect(body).toEqual({
      id,
      userId: id,
      creationDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      lastUpdated: expect.any(String),
      email,
      emailVerified: true,
      needsToVerifyEmail: false,
      firstName: 'Ada',
      lastName: 'Lovelace',
      fullName: 'Ada Lovelace',
      ssoLinked: false,
      twoFactorAuthEnabled: false,
      summary: expect.any(Object),
    });
  });

  it('reports unverified data and enabled features', async () => {
    const { id, token } = await makeUser(test, { emailVerified: false, ssoLinked: true });
    await test.dataSource.manager.update(User, { id }, { twoFactorKey: 'sealed' });
    expect((await get(token)).body).toMatchObject({
      emailVerified: false,
      needsToVerifyEmail: true,
      ssoLinked: true,
      twoFactorAuthEnabled: true,
    });
  });

  it('counts the user’s resources as requested', async () => {
    const { token } = await makeUser(test);
    await makeApplication(test, token);
    await makeOrg(test, token);
    await makeApiToken(test, token);
    expect((await get(token)).body.summary).toEqual(
      usualCounts(test.document, 'MeSummary', { apiTokenCount: 1, appCount: 1, orgCount: 1 }),
    );
    const include = '?summaryInclude=apiTokenCount,appCount';
    expect((await get(token, include)).body.summary).toEqual({ apiTokenCount: 1, appCount: 1 });
    const exclude = await get(token, `${include}&summaryExclude=appCount`);
    expect(exclude.body.summary).toEqual({ apiTokenCount: 1 });
  });

  it.each(['?includeRecent=maybe', '?summaryInclude=a&summaryInclude=b'])(
    'rejects %j with 400',
    async (query) => {
      const { token } = await makeUser(test);
      expect((await get(token, query)).status).toBe(400);
    },
  );

  it('ignores unknown parameters', async () => {
    const { token } = await makeUser(test);
    expect((await get(token, '?_actions=false&nonsense=1')).status).toBe(200);
  });

  it.each(['all.User', 'all.User.read', 'all.User.bounded', 'only.User', 'only.User.read', 'me.*', 'me.get'])(
    'accepts a token with the scope %s',
    async (scope) => {
      const { id } = await makeUser(test);
      expect((await get(tokenOf(test, id, [scope]))).status).toBe(200);
    },
  );

  it.each([
    'all.Application',
    'all.Organization',
    'all.Device',
    'all.Instance',
    'all.User.cli',
    'me.patch',
    'orgs.*',
  ])('rejects a token with the scope %s with 403', async (scope) => {
    const { id } = await makeUser(test);
    expect((await get(tokenOf(test, id, [scope]))).status).toBe(403);
  });

  it('requires a token', async () => {
    expect((await test.client.get('/me')).status).toBe(401);
  });
});

describe('PATCH /me', () => {
  const details = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    companyName: 'North Field',
    title: 'Engineer',
    location: 'Oslo',
    phoneNumber: '+47 22 00 00 00',
    url: 'https://example.com',
  };

  it('updates the given properties and keeps the others', async () => {
    const { token } = await makeUser(test);
    const first = await patch(token, details);
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ ...details, fullName: 'Ada Lovelace' });
    const { body } = await patch(token, { title: 'Director' });
    expect(body).toMatchObject({ ...details, title: 'Director' });
    expect(body.lastUpdated > first.body.creationDate).toBe(true);
    expect((await get(token)).body).toEqual(body);
  });

  it('changes nothing for an empty body', async () => {
    const { token } = await makeUser(test);
    const { lastUpdated: _before, ...before } = (await get(token)).body;
    const { lastUpdated: _after, ...after } = (await patch(token, {})).body;
    expect(after).toEqual(before);
  });

  it('returns the requested summary', async () => {
    const { token } = await makeUser(test);
    const { body } = await patch(token, { title: 'x' }, '?summaryInclude=appCount');
    expect(body.summary).toEqual({ appCount: 0 });
  });

  it.each<[string, unknown, string]>([
    ['a blank first name', { firstName: '' }, 'me.firstName'],
    ['a first name of 1025 characters', { firstName: 'x'.repeat(1025) }, 'me.firstName'],
    ['null', { lastName: null }, 'me.lastName'],
    ['a number', { title: 7 }, 'me.title'],
    ['an unknown property', { nickname: 'ada' }, 'me.nickname'],
    ['something that is no address', { email: 'ada' }, 'me.email'],
    [
      'a weak password',
      { password: 'weak-password', currentCredentials: { password: PASSWORD } },
      'me.password',
    ],
    [
      'unknown credentials',
      { currentCredentials: { password: PASSWORD, pin: '1' } },
      'me.currentCredentials.pin',
    ],
    ['a time without a zone', { tokenCutoff: '2026-01-01T00:00:00' }, 'me.tokenCutoff'],
    ['a time in the future', { tokenCutoff: new Date(Date.now() + 60_000).toISOString() }, 'me.tokenCutoff'],
    ['a leap second', { tokenCutoff: '2016-12-31T23:59:60Z' }, 'me.tokenCutoff'],
    ['a list', [], 'me'],
  ])('rejects %s with 400', async (_, body, named) => {
    const { token } = await makeUser(test);
    const answer = await patch(token, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ type: 'Validation', message: expect.stringContaining(named) });
  });

  it.each([
    'id',
    'userId',
    'emailVerified',
    'ssoLinked',
    'twoFactorAuthEnabled',
    'limits',
    'passwordHash',
    'summary',
    'creationDate',
    'githubName',
    'codehostId',
    'needsToVerifyEmail',
  ])('does not allow setting %s', async (property) => {
    const { token } = await makeUser(test);
    const before = (await get(token)).body;
    expect((await patch(token, { firstName: 'Eve', [property]: true })).status).toBe(400);
    expect((await get(token)).body).toEqual(before);
  });

  it.each(['all.User.read', 'all.User.bounded', 'only.User.read', 'me.get'])(
    'rejects a token with the scope %s with 403',
    async (scope) => {
      const { id } = await makeUser(test);
      expect((await patch(tokenOf(test, id, [scope]), { title: 'x' })).status).toBe(403);
    },
  );

  it('requires a token', async () => {
    expect((await test.client.patch('/me', { title: 'x' })).status).toBe(401);
  });

  describe('changing the email address', () => {
    const move = (user: TestUser, email: string, more: object = {}) =>
      patch(user.token, { email, currentCredentials: { password: PASSWORD }, ...more });

    it('requires the password, resets verification and notifies the previous address', async () => {
      const user = await makeUser(test);
      const email = `${uniqueName('New')}@Example.com`;
      const { status, body } = await move(user, email);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        email: email.toLowerCase(),
        emailVerified: false,
        needsToVerifyEmail: true,
      });
      expect(await mailsTo(test, user.email)).toEqual([
        expect.objectContaining({
          subject: 'Your account was changed',
          text: expect.stringContaining(email.toLowerCase()),
        }),
      ]);
      expect(await mailsTo(test, email.toLowerCase())).toEqual([]);
      expect((await signIn(test, { email, password: PASSWORD })).status).toBe(200);
      expect((await signIn(test, { email: user.email, password: PASSWORD })).status).toBe(401);
    });

    it('to the same address in another case changes nothing', async () => {
      const user = await makeUser(test);
      const { body } = await move(user, user.email.toUpperCase());
      expect(body).toMatchObject({ email: user.email, emailVerified: true });
      expect(await mailsTo(test, user.email)).toEqual([]);
    });

    it('is rejected with missing or wrong current credentials', async () => {
      const user = await makeUser(test);
      const email = `${uniqueName()}@example.com`;
      for (const currentCredentials of [undefined, { password: WRONG }]) {
        const { status, body } = await patch(user.token, { email, currentCredentials });
        expect(status).toBe(400);
        expect(body.message).toMatch(/^me\.currentCredentials/);
      }
      expect((await get(user.token)).body.email).toBe(user.email);
      expect(await mailsTo(test, user.email)).toEqual([]);
    });

    it('requires a two-factor code if enabled', async () => {
      const user = await makeTwoFactorUser(test);
      const email = `${uniqueName()}@example.com`;
      const without = await move(user, email);
      expect(without.status).toBe(400);
      expect(without.body.message).toMatch(/^me\.currentCredentials\.twoFactorCode/);
      const currentCredentials = { password: PASSWORD, twoFactorCode: codeOf(user.key) };
      expect((await patch(user.token, { email, currentCredentials })).status).toBe(200);
    });

    it('is rejected if the address is in use, in any case, and changes nothing else', async () => {
      const [user, taken] = [await makeUser(test), await makeUser(test)];
      const { status, body } = await move(user, taken.email.toUpperCase(), { firstName: 'Eve' });
      expect(status).toBe(400);
      expect(body).toEqual({ type: 'Validation', message: 'me.email is not available' });
      expect((await get(user.token)).body).not.toHaveProperty('firstName');
      expect(await mailsTo(test, user.email)).toEqual([]);
    });

    it('assigns an address requested concurrently by two users to one of them', async () => {
      const users = [await makeUser(test), await makeUser(test)];
      const email = `${uniqueName()}@example.com`;
      const answers = await Promise.all(users.map((user) => move(user, email)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    });

    it('is rejected in a domain whose identity provider assigns addresses', async () => {
      const domain = `${uniqueName('corp')}.test`;
      const settings = {
        entryPoint: 'https://idp.test',
        issuer: 'https://idp.test',
        certificates: [],
        acsUrl: null,
      };
      await test.dataSource.manager.insert(SsoDomain, { domain, ...settings, creationDate: new Date() });
      const user = await makeUser(test);
      for (const email of [`ada@${domain}`, `ada@${domain.toUpperCase()}`]) {
        const { status, body } = await move(user, email);
        expect(status).toBe(400);
        expect(body.message).toBe('me.email is not available');
      }
    });

    it('is rejected for users who sign in through an identity provider', async () => {
      const user = await makeUser(test, { ssoLinked: true });
      expect((await move(user, `${uniqueName()}@example.com`)).status).toBe(400);
    });

    it('cannot be used to guess the password', async () => {
      const user = await makeUser(test);
      const email = `${uniqueName()}@example.com`;
      const address = freshAddress();
      const guess = (password: string) =>
        patch(user.token, { email, currentCredentials: { password } }, '', address);
      for (let i = 0; i < 10; i++) expect((await guess(WRONG)).status).toBe(400);
      const right = await guess(PASSWORD);
      expect(right.status).toBe(429);
      expect(right.headers.get('retry-after')).toMatch(/^\d+$/);
    });
  });

  describe('changing the password', () => {
    it('requires the current password, notifies the user and keeps tokens valid', async () => {
      const user = await makeUser(test);
      const body = { password: NEW_PASSWORD, currentCredentials: { password: PASSWORD } };
      const answer = await patch(user.token, body);
      expect(answer.status).toBe(200);
      expect(answer.body.passwordLastUpdated).toEqual(expect.any(String));
      expect((await mailsTo(test, user.email)).map(({ text }) => text)).toEqual([
        expect.stringContaining('password'),
      ]);
      expect((await signIn(test, { email: user.email, password: NEW_PASSWORD })).status).toBe(200);
      expect((await signIn(test, { email: user.email, password: PASSWORD })).status).toBe(401);
      expect((await get(user.token)).status).toBe(200);
    });

    it('is rejected without the current password', async () => {
      const user = await makeUser(test);
      expect((await patch(user.token, { password: NEW_PASSWORD })).status).toBe(400);
      expect((await signIn(test, { email: user.email, password: PASSWORD })).status).toBe(200);
    });
  });

  describe('changing the token cutoff', () => {
    it('revokes earlier session tokens immediately in every process, but no API tokens', async () => {
      const user = await makeUser(test);
      const apiToken = (await makeApiToken(test, user.token)).token;
      expect([await statusOn(test, user.token), await statusOn(other, user.token)]).toEqual([200, 200]);
      const tokenCutoff = new Date(Math.floor(claimsOf(user.token).iat * 1000) + 1).toISOString();
      const later = tokenOf(test, user.id);
      expect((await patch(later, { tokenCutoff })).body.tokenCutoff).toBe(tokenCutoff);
      expect([await statusOn(test, user.token), await statusOn(other, user.token)]).toEqual([401, 401]);
      expect([await statusOn(test, later), await statusOn(other, later)]).toEqual([200, 200]);
      expect([await statusOn(test, apiToken), await statusOn(other, apiToken)]).toEqual([200, 200]);
    });
  });
});
