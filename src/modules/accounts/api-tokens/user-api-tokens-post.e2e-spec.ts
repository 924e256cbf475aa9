import { withClock } from '../../../../test/doubles/clock.js';
import { apiTokenCalls, HOUR, futureDate, UNKNOWN } from '../../../../test/make/api-tokens.js';
import { makeApplication, makeUser, tokenOf } from '../../../../test/make/make.js';
import { claimsOf } from '../../../../test/make/sign-in.js';
import { suite } from '../../../../test/setup/suite.js';
import { sha256 } from '../../../lib/crypto/hashes.js';
import { ApiToken } from './api-token.resource.js';

const { test, other } = suite();

const { list, create, get, patch, make: makeToken } = apiTokenCalls(() => test);

describe('POST /me/tokens', () => {
  it('creates a working token and returns it', async () => {
    const { id: userId, email, token } = await makeUser(test);
    const { status, body } = await create(token, { name: 'Nightly report', description: 'Counts' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      apiTokenId: body.id,
      ownerId: userId,
      ownerType: 'user',
      creatorId: userId,
      creatorType: 'user',
      creatorName: email,
      creationDate: expect.any(String),
      lastUpdated: body.creationDate,
      name: 'Nightly report',
      description: 'Counts',
      scope: ['all.User'],
      status: 'active',
      token: expect.any(String),
    });
    const me = await test.client.get('/me', { token: body.token });
    expect(me.status).toBe(200);
    expect(me.body.id).toBe(userId);
  });

  it('returns the token once and stores only its hash', async () => {
    const { token } = await makeUser(test);
    const { id, token: shown, ...rest } = await makeToken(token);
    expect((await get(token, id)).body).toEqual({ id, ...rest });
    expect((await list(token)).body.items).toEqual([{ id, ...rest }]);
    expect((await patch(token, id, { name: rest.name })).body).not.toHaveProperty('token');
    const [row] = await test.dataSource.query(
      'SELECT row_to_json(t)::text AS row FROM api_tokens t WHERE id = $1',
      [id],
    );
    expect(row.row).toContain(sha256(shown));
    expect(row.row).not.toContain(shown);
    expect(row.row).not.toContain(shown.split('.')[2]);
    expect(test.log.join('')).not.toContain(shown);
  });

  it('records the API token that creates another as the creator', async () => {
    const { id: userId, token } = await makeUser(test);
    const first = await makeToken(token);
    const second = await makeToken(first.token);
    expect(second).toMatchObject({ ownerId: userId, creatorId: first.id, creatorType: 'apiToken' });
    const application = await makeApplication(test, second.token);
    expect(application.ownerId).toBe(userId);
  });

  it('creates an inactive token', async () => {
    const { token } = await makeUser(test);
    const made = await makeToken(token, { status: 'inactive' });
    expect(made.status).toBe('inactive');
    expect((await test.client.get('/me', { token: made.token })).status).toBe(401);
    await patch(token, made.id, { status: 'active' });
    expect((await test.client.get('/me', { token: made.token })).status).toBe(200);
  });

  it('accepts a name that is already in use', async () => {
    const { token } = await makeUser(test);
    expect((await create(token, { name: 'same' })).status).toBe(201);
    expect((await create(token, { name: 'same' })).status).toBe(201);
  });

  it.each<[string, object, string]>([
    ['no name', { name: undefined }, 'apiToken.name is required'],
    ['a blank name', { name: '' }, 'apiToken.name'],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, 'apiToken.name'],
    ['NUL in the name', { name: 'a\0b' }, 'NUL'],
    ['half a character', '{"name":"\\ud800"}' as unknown as object, 'Unicode'],
    ['a long description', { description: 'x'.repeat(32768) }, 'apiToken.description'],
    ['another status', { status: 'paused' }, 'apiToken.status'],
    ['a scope that is no list', { scope: 'all.User' }, 'apiToken.scope'],
    ['null scopes', { scope: null }, 'apiToken.scope'],
    ['a scope twice', { scope: ['me.get', 'me.get'] }, 'apiToken.scope'],
    ['a time without a zone', { expirationDate: '2999-01-01T00:00:00' }, 'apiToken.expirationDate'],
    ['a day', { expirationDate: '2999-01-01' }, 'apiToken.expirationDate'],
    ['a day that does not exist', { expirationDate: '2999-02-30T00:00:00Z' }, 'apiToken.expirationDate'],
    ['a leap second', { expirationDate: '2999-12-31T23:59:60Z' }, 'apiToken.expirationDate'],
    ['a number as time', { expirationDate: 32503680000000 }, 'apiToken.expirationDate'],
    ['another role', { defaultRole: 'owner' }, 'apiToken.defaultRole'],
    ['26 organizations', { orgRoles: Array(26).fill({ orgId: UNKNOWN, role: 'view' }) }, 'apiToken.orgRoles'],
    ['an organization without a role', { orgRoles: [{ orgId: UNKNOWN }] }, 'apiToken.orgRoles'],
    ['an organization that is no id', { orgRoles: [{ orgId: 'mine', role: 'view' }] }, 'apiToken.orgRoles'],
    [
      'a role that single applications do not have',
      {
        orgRoles: [
          { orgId: UNKNOWN, role: 'view', applicationRoles: [{ resourceId: UNKNOWN, role: 'admin' }] },
        ],
      },
      'apiToken.orgRoles',
    ],
  ])('rejects %s with 400', async (_, body, named) => {
    const { token } = await makeUser(test);
    const answer =
      typeof body === 'string'
        ? await test.client.post('/me/tokens', body, { token })
        : await create(token, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ type: 'Validation', message: expect.stringContaining(named) });
    expect((await list(token)).body.totalCount).toBe(0);
  });

  it.each(['id', 'ownerId', 'ownerType', 'creatorId', 'token', 'tokenHash', 'creationDate', 'toString'])(
    'rejects %s, which the caller cannot set',
    async (property) => {
      const { token } = await makeUser(test);
      const { status, body } = await create(token, { [property]: UNKNOWN });
      expect(status).toBe(400);
      expect(body.message).toContain(`apiToken.${property}`);
    },
  );

  it.each([
    'all.user',
    'ALL.USER',
    ' all.User',
    'all.*',
    '*',
    '',
    'only.*',
    'application.get.',
    'application.*.x',
    'applications',
    'all.User.write',
    'nonsense.get',
  ])('rejects %j, which is not a scope, with 400', async (scope) => {
    const { token } = await makeUser(test);
    const { status, body } = await create(token, { scope: ['me.get', scope] });
    expect(status).toBe(400);
    expect(body.message).toContain('apiToken.scope');
  });

  it.each([
    'all.User.read',
    'all.User.bounded',
    'only.User',
    'userApiTokens.get',
    'userApiToken.*',
    'all.Organization',
  ])('rejects a token with the scope %s', async (scope) => {
    const { id } = await makeUser(test);
    expect((await create(tokenOf(test, id, [scope]))).status).toBe(403);
  });

  it('requires a token', async () => {
    expect((await test.client.post('/me/tokens', { name: 'x' })).status).toBe(401);
  });

  describe('sets the scopes', () => {
    it('as requested, and limits the token to them', async () => {
      const { token } = await makeUser(test);
      const made = await makeToken(token, { scope: ['applications.get', 'only.User.read'] });
      expect(made.scope).toEqual(['applications.get', 'only.User.read']);
      expect((await test.client.get('/applications', { token: made.token })).status).toBe(200);
      expect((await test.client.get('/me', { token: made.token })).status).toBe(200);
      expect((await test.client.patch('/me', { title: 'x' }, { token: made.token })).status).toBe(403);
      expect((await test.client.get('/orgs', { token: made.token })).status).toBe(403);
      expect((await create(made.token)).status).toBe(403);
    });

    it('to those of the creator by default', async () => {
      const { id } = await makeUser(test);
      const made = await makeToken(tokenOf(test, id, ['userApiTokens.post', 'applications.get']));
      expect(made.scope).toEqual(['userApiTokens.post', 'applications.get']);
    });

    it('to none if an empty list is requested', async () => {
      const { token } = await makeUser(test);
      const made = await makeToken(token, { scope: [] });
      expect(made.scope).toEqual([]);
      expect((await test.client.get('/me', { token: made.token })).status).toBe(403);
    });

    it.each<[string, string[], string]>([
      ['a group', ['all.User.read'], 'all.User'],
      ['a group of another level', ['all.User.read'], 'all.User.bounded'],
      ['a group of the same level as the operation', ['all.User.cli'], 'all.User.read'],
      ['a wider family', ['all.Application'], 'all.Organization.read'],
      ['a family beside', ['all.Organization'], 'all.Instance.read'],
      ['the family for its own level', ['only.User'], 'all.User'],
      ['its own level of another family', ['only.User'], 'only.Organization'],
      ['a resource for one of its operations', ['application.get'], 'application.*'],
      ['a resource for a group that reads it', ['all.User.read'], 'application.*'],
      ['an operation that writes', ['all.User.read'], 'application.patch'],
      ['an operation of a name alike', ['application.get'], 'applications.get'],
      ['a resource of a name alike', ['application.*'], 'applications.*'],
      ['one of two operations of a shared name', ['all.User.bounded'], 'application.get'],
      ['one of two writing operations of a shared name', ['all.User.bounded'], 'application.patch'],
      ['everything, for the right to make tokens', [], 'all.User'],
    ])('but not to %s', async (_, held, wanted) => {
      const { id } = await makeUser(test);
      const token = tokenOf(test, id, ['userApiTokens.post', ...held]);
      const { status, body } = await create(token, { scope: [wanted] });
      expect(status).toBe(403);
      expect(body).toEqual({ type: 'Forbidden', message: expect.stringContaining(wanted) });
      const rest = await create(token, { scope: ['userApiTokens.post', wanted] });
      expect(rest.status).toBe(403);
    });

    it('limited by the current scopes of the calling API token, not by those in its text', async () => {
      const { token } = await makeUser(test);
      const first = await makeToken(token, { scope: ['all.User'] });
      await test.dataSource.manager.update(ApiToken, { id: first.id }, { scope: ['userApiTokens.post'] });
      expect((await create(first.token, { scope: ['me.get'] })).status).toBe(403);
    });
  });

  describe('sets the expiration', () => {
    it('as requested, in the response and in the token', async () => {
      const { token } = await makeUser(test);
      const expirationDate = futureDate(HOUR);
      const made = await makeToken(token, { expirationDate });
      expect(made.expirationDate).toBe(expirationDate);
      expect(Math.round(claimsOf(made.token).exp! * 1000)).toBe(new Date(expirationDate).getTime());
    });

    it('to none by default, even if the calling session token expires', async () => {
      const { id } = await makeUser(test);
      const made = await makeToken(tokenOf(test, id, ['all.User'], 60));
      expect(made).not.toHaveProperty('expirationDate');
      expect(claimsOf(made.token)).not.toHaveProperty('exp');
    });

    it('from a time in any time zone', async () => {
      const { token } = await makeUser(test);
      const { expirationDate } = await makeToken(token, { expirationDate: '2999-06-13T06:00:00+02:00' });
      expect(expirationDate).toBe('2999-06-13T04:00:00.000Z');
    });

    it('after which the token is rejected in every process', async () => {
      const { token } = await makeUser(test);
      const made = await makeToken(token, { expirationDate: futureDate(HOUR) });
      for (const app of [test, other])
        expect((await app.client.get('/me', { token: made.token })).status).toBe(200);
      for (const app of [test, other]) {
        const answer = await withClock(HOUR, () => app.client.get('/me', { token: made.token }));
        expect(answer.status).toBe(401);
        expect(answer.body.message).toBe('Access token has expired');
      }
      expect((await get(token, made.id)).status).toBe(200);
    });

    it('to at most that of the API token that creates it', async () => {
      const { token } = await makeUser(test);
      const expirationDate = futureDate(HOUR);
      const first = await makeToken(token, { expirationDate });
      const beyond = await create(first.token, { expirationDate: futureDate(2 * HOUR) });
      expect(beyond.status).toBe(400);
      expect(beyond.body.message).toMatch(/^apiToken\.expirationDate/);
      const sooner = futureDate(HOUR / 2);
      expect((await makeToken(first.token, { expirationDate: sooner })).expirationDate).toBe(sooner);
      const inherited = await makeToken(first.token);
      expect(inherited.expirationDate).toBe(expirationDate);
      expect(Math.round(claimsOf(inherited.token).exp! * 1000)).toBe(new Date(expirationDate).getTime());
    });
  });
});
