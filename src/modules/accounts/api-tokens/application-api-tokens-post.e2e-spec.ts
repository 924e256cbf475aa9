import { applicationTokensIn, HOUR, futureDate, UNKNOWN } from '../../../../test/make/api-tokens.js';
import {
  defaultInstance,
  makeApplication,
  makeMember,
  makeUser,
  tokenOf,
  uniqueName,
} from '../../../../test/make/make.js';
import { claimsOf, makeApiToken } from '../../../../test/make/sign-in.js';
import { suite } from '../../../../test/setup/suite.js';
import { sha256 } from '../../../lib/crypto/hashes.js';
import { ROLES, type Role } from '../../../platform/operations/operation.js';
import { Org } from '../orgs/org.resource.js';
import { User } from '../users/user.entity.js';

const { test } = suite();
const { tokensOf, sandboxed, organized } = applicationTokensIn(test);

describe('POST /applications/:applicationId/tokens', () => {
  it('creates a token that acts for the application, and returns it', async () => {
    const { user, application, create } = await sandboxed();
    const { status, body } = await create(user.token, { name: 'Nightly report', description: 'Counts' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      apiTokenId: body.id,
      ownerId: application.id,
      ownerType: 'application',
      creatorId: user.id,
      creatorType: 'user',
      creatorName: user.email,
      creationDate: expect.any(String),
      lastUpdated: body.creationDate,
      name: 'Nightly report',
      description: 'Counts',
      scope: ['all.Application'],
      status: 'active',
      token: expect.any(String),
    });
    expect(claimsOf(body.token)).toMatchObject({
      sub: application.id,
      ownerType: 'application',
      jti: body.id,
      scope: ['all.Application'],
    });
    const seen = await test.client.get(`/applications/${application.id}`, { token: body.token });
    expect(seen.status).toBe(200);
  });

  it('returns the token once and stores only its hash', async () => {
    const { user, list, make, get, patch } = await sandboxed();
    const { id, token: shown, ...rest } = await make(user.token);
    expect((await get(user.token, id)).body).toEqual({ id, ...rest });
    expect((await list(user.token)).body.items).toEqual([{ id, ...rest }]);
    expect((await patch(user.token, id, { name: rest.name })).body).not.toHaveProperty('token');
    const [row] = await test.dataSource.query(
      'SELECT row_to_json(t)::text AS row FROM api_tokens t WHERE id = $1',
      [id],
    );
    expect(row.row).toContain(sha256(shown));
    expect(row.row).not.toContain(shown.split('.')[2]);
    expect(test.log.join('')).not.toContain(shown);
  });

  it('records the API token of the user or application as the creator', async () => {
    const { user, application, make } = await sandboxed();
    const mine = await makeApiToken(test, user.token, { name: 'Mine' });
    const first = await make(mine.token, { name: 'First' });
    expect(first).toMatchObject({ creatorId: mine.id, creatorType: 'apiToken', creatorName: 'Mine' });
    const second = await make(first.token);
    expect(second).toMatchObject({
      ownerId: application.id,
      creatorId: first.id,
      creatorType: 'apiToken',
      creatorName: 'First',
    });
  });

  it('creates an inactive token', async () => {
    const { user, application, make, patch } = await sandboxed();
    const made = await make(user.token, { status: 'inactive' });
    const get = () => test.client.get(`/applications/${application.id}`, { token: made.token });
    expect((await get()).status).toBe(401);
    await patch(user.token, made.id, { status: 'active' });
    expect((await get()).status).toBe(200);
  });

  it.each<[string, object, string]>([
    ['no name', { name: undefined }, 'apiToken.name is required'],
    ['another status', { status: 'paused' }, 'apiToken.status'],
    ['a scope that is none', { scope: ['nonsense.get'] }, 'apiToken.scope'],
    ['a scope twice', { scope: ['application.get', 'application.get'] }, 'apiToken.scope'],
    ['another role', { defaultRole: 'owner' }, 'apiToken.defaultRole'],
    ['roles in organizations', { orgRoles: [{ orgId: UNKNOWN, role: 'view' }] }, 'apiToken.orgRoles'],
    ['roles in no organization', { orgRoles: [] }, 'apiToken.orgRoles'],
    ['an owner', { ownerId: UNKNOWN }, 'apiToken.ownerId'],
    ['a kind of owner', { ownerType: 'user' }, 'apiToken.ownerType'],
  ])('rejects %s with 400', async (_, body, named) => {
    const { user, create, list } = await sandboxed();
    const answer = await create(user.token, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ type: 'Validation', message: expect.stringContaining(named) });
    expect((await list(user.token)).body.totalCount).toBe(0);
  });

  it.each([
    'all.User',
    'all.Organization.read',
    'all.Instance',
    'only.User',
    'me.get',
    'applications.*',
    'orgs.get',
  ])('accepts %s, which gives no access outside the application', async (scope) => {
    const { user, make, application } = await sandboxed();
    const { token, ...made } = await make(user.token, { scope: [scope] });
    expect(made.scope).toEqual([scope]);
    for (const at of ['/me', '/me/tokens', `/instances/${await defaultInstance(test)}`, `/orgs/${UNKNOWN}`])
      expect([403, 404]).toContain((await test.client.get(at, { token })).status);
    expect([200, 403]).toContain(
      (await test.client.get(`/applications/${application.id}`, { token })).status,
    );
  });

  it('accepts an expiration in the past, and the token cannot be used', async () => {
    const { user, make, application } = await sandboxed();
    for (const expirationDate of [futureDate(-1000), '0001-01-01T00:00:00.000Z']) {
      const { token, ...made } = await make(user.token, { expirationDate });
      expect(made.expirationDate).toBe(expirationDate);
      const { status, body } = await test.client.get(`/applications/${application.id}`, { token });
      expect([status, body.message]).toEqual([401, 'Access token has expired']);
    }
  });

  it.each(['all.Application.bounded', 'all.Application.cli', 'all.Device', 'all.Device.read', 'flow.*'])(
    'accepts %s',
    async (scope) => {
      const { user, make } = await sandboxed();
      expect((await make(user.token, { scope: [scope] })).scope).toEqual([scope]);
    },
  );

  it.each<[string, string[], object]>([
    ['all of them without the whole group', ['all.Application.read'], {}],
    ['all of them where they are not named', ['application.*'], {}],
    ['a wider level', ['all.Application.read'], { scope: ['all.Application.bounded'] }],
    ['an operation of a name alike', ['application.*'], { scope: ['applicationKey.get'] }],
    ['devices for applications', ['all.Application.read'], { scope: ['all.Device.read'] }],
  ])('rejects scopes that those of the creator do not cover: %s', async (_, held, body) => {
    const { user, application, create, make } = await sandboxed();
    const scope = ['applicationApiTokens.post', ...held];
    const makers = [tokenOf(test, user.id, scope), (await make(user.token, { scope })).token];
    for (const maker of makers) {
      const answer = await create(maker, body);
      expect([answer.status, answer.body.type]).toEqual([403, 'Forbidden']);
      const narrow = await create(maker, { scope: held });
      expect(narrow.status).toBe(201);
      expect(narrow.body).toMatchObject({ ownerId: application.id, scope: held });
    }
  });

  it.each<[Role, number, string | undefined]>([
    ['none', 404, undefined],
    ['view', 403, undefined],
    ['collaborate', 403, undefined],
    ['edit', 201, 'edit'],
    ['admin', 201, undefined],
  ])(
    'called by a member with the role %s returns %i and caps the token to %s',
    async (role, status, noted) => {
      const { member, create, list, admin } = await organized();
      const answer = await create((await member(role)).token);
      expect(answer.status).toBe(status);
      expect(answer.body.defaultRole).toBe(noted);
      expect((await list(admin.token)).body.totalCount).toBe(status === 201 ? 1 : 0);
    },
  );

  it('accepts a role lower than that of the creator and rejects a higher one with 403', async () => {
    const { member, create } = await organized();
    for (const role of ['edit', 'admin'] as const) {
      const { token } = await member(role);
      for (const defaultRole of ROLES) {
        const { status, body } = await create(token, { defaultRole });
        if (role === 'edit' && defaultRole === 'admin') expect(status).toBe(403);
        else expect([status, body.defaultRole]).toEqual([201, defaultRole]);
      }
    }
  });

  it.each<[Role, number, number, number]>([
    ['none', 404, 404, 404],
    ['view', 200, 403, 403],
    ['collaborate', 200, 200, 403],
    ['edit', 200, 200, 201],
    ['admin', 200, 200, 201],
  ])(
    'creates a token that has the access of the role %s: get %i, patch %i, post %i',
    async (defaultRole, read, write, mint) => {
      const { admin, application, make, create } = await organized();
      const { token } = await make(admin.token, { defaultRole });
      const path = `/applications/${application.id}`;
      expect((await test.client.get(`/applications/${application.id}`, { token })).status).toBe(read);
      expect((await test.client.get(`${path}/readme`, { token })).status).toBe(read);
      expect((await test.client.patch(path, { name: uniqueName() }, { token })).status).toBe(write);
      expect((await create(token)).status).toBe(mint);
    },
  );

  it('called with a capped token of a user applies the cap to the role', async () => {
    const { admin, org, create, make } = await organized();
    const capped = (body: object) => makeApiToken(test, admin.token, body);
    const viewer = await capped({ orgRoles: [{ orgId: org.id, role: 'view' }] });
    expect((await create(viewer.token)).status).toBe(403);
    const editor = await capped({ defaultRole: 'none', orgRoles: [{ orgId: org.id, role: 'edit' }] });
    expect((await make(editor.token)).defaultRole).toBe('edit');
    expect((await make(editor.token, { defaultRole: 'view' })).defaultRole).toBe('view');
    expect((await create(editor.token, { defaultRole: 'admin' })).status).toBe(403);
    const elsewhere = await capped({ orgRoles: [{ orgId: UNKNOWN, role: 'none' }] });
    expect(await make(elsewhere.token)).not.toHaveProperty('defaultRole');
  });

  it('called with a token of the application passes on at most its role, scopes and expiration', async () => {
    const { member, create, make } = await organized();
    const expirationDate = futureDate(HOUR);
    const scope = ['applicationApiTokens.post', 'all.Application.read'];
    const first = await make((await member('edit')).token, { expirationDate, scope });
    const second = await make(first.token, { scope });
    expect(second).toMatchObject({ defaultRole: 'edit', scope, expirationDate });
    expect(Math.round(claimsOf(second.token).exp! * 1000)).toBe(Date.parse(expirationDate));
    for (const body of [{}, { scope: ['application.patch'] }, { scope, defaultRole: 'admin' }])
      expect((await create(second.token, body)).status).toBe(403);
    const later = await create(second.token, { scope, expirationDate: futureDate(2 * HOUR) });
    expect(later.status).toBe(400);
    expect(later.body.message).toMatch(/^apiToken\.expirationDate/);
  });

  it('rejects members of a read-only organization', async () => {
    const { org, application } = await organized();
    await test.dataSource.manager.update(Org, { id: org.id }, { isReadOnly: true });
    const { token } = await makeMember(test, org.id, 'admin');
    expect((await tokensOf(application.id).create(token)).status).toBe(403);
  });

  it.each([
    'all.Application.read',
    'all.Application.bounded',
    'all.User.bounded',
    'applicationApiToken.*',
    'applicationApiTokens.get',
    'application.*',
    'userApiTokens.post',
  ])('rejects a token with the scope %s', async (scope) => {
    const { user, create } = await sandboxed();
    expect((await create(tokenOf(test, user.id, [scope]))).status).toBe(403);
  });

  it('rejects callers without access and requests without a token', async () => {
    const { application, list, create } = await sandboxed();
    const { token } = await makeUser(test);
    for (const answer of [await create(token), await list(token), await tokensOf(UNKNOWN).create(token)])
      expect([answer.status, answer.body]).toEqual([
        404,
        { type: 'NotFound', message: 'Application was not found' },
      ]);
    expect((await test.client.post(`/applications/${application.id}/tokens`, { name: 'x' })).status).toBe(
      401,
    );
    expect((await tokensOf('nonsense').create(token)).status).toBe(400);
  });

  describe('when the owner limits tokens', () => {
    it('applies the limit to each application of an organization', async () => {
      const { admin, org, create, make, remove } = await organized();
      await test.dataSource.manager.update(Org, { id: org.id }, { limits: { apitoken: 2 } });
      const [first] = [await make(admin.token), await make(admin.token)];
      const { status, body } = await create(admin.token);
      expect([status, body.message]).toEqual([400, 'The limit of 2 API tokens is reached']);
      const second = await makeApplication(test, admin.token, { orgId: org.id });
      expect((await tokensOf(second.id).create(admin.token)).status).toBe(201);
      await remove(admin.token, first.id);
      expect((await create(admin.token)).status).toBe(201);
    });

    it('lets one of many concurrent requests take the last place', async () => {
      const { user, create, list } = await sandboxed();
      await test.dataSource.manager.update(User, { id: user.id }, { limits: { apitoken: 1 } });
      const answers = await Promise.all(Array.from({ length: 6 }, () => create(user.token)));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400, 400]);
      expect((await list(user.token)).body.totalCount).toBe(1);
    });

    it('creates none when the limit is 0, but does not limit tokens of the user', async () => {
      const { user, create } = await sandboxed();
      await test.dataSource.manager.update(User, { id: user.id }, { limits: { apitoken: 0 } });
      expect((await create(user.token)).status).toBe(400);
      expect((await makeApiToken(test, user.token)).ownerType).toBe('user');
    });
  });
});
