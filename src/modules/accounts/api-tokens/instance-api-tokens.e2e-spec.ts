import { apiTokenCalls, HOUR, futureDate, UNKNOWN } from '../../../../test/make/api-tokens.js';
import { makeOrg, makeUser, tokenOf, makeInstance } from '../../../../test/make/make.js';
import { claimsOf, makeApiToken } from '../../../../test/make/sign-in.js';
import { suite } from '../../../../test/setup/suite.js';
import { sha256 } from '../../../lib/crypto/hashes.js';
import { InstanceAuditLog } from '../audit-logs/audit-log.resource.js';
import { InstanceMember } from '../instance-members/instance-member.resource.js';
import { Instance } from '../instances/instance.resource.js';

const { test } = suite();

const tokensOf = (instanceId: string) => apiTokenCalls(() => test, `/instances/${instanceId}`);

/** Creates an instance with an admin, and returns a function that adds members. */
async function governed(more: Partial<Instance> = {}) {
  const instance = await makeInstance(test, more);
  const member = async (role: InstanceMember['role']) => {
    const user = await makeUser(test);
    await test.dataSource.manager.insert(InstanceMember, { instanceId: instance.id, userId: user.id, role });
    return user;
  };
  return { instance, member, admin: await member('admin'), ...tokensOf(instance.id) };
}

describe('POST /instances/:instanceId/tokens', () => {
  it('creates a token that acts for the instance, and returns it once', async () => {
    const { instance, admin, create, list, get } = await governed();
    const { status, body } = await create(admin.token, { name: 'Usage', description: 'Monthly' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      apiTokenId: body.id,
      ownerId: instance.id,
      ownerType: 'instance',
      creatorId: admin.id,
      creatorType: 'user',
      creatorName: admin.email,
      creationDate: expect.any(String),
      lastUpdated: body.creationDate,
      name: 'Usage',
      description: 'Monthly',
      scope: ['all.Instance'],
      status: 'active',
      token: expect.any(String),
    });
    expect(claimsOf(body.token)).toMatchObject({ sub: instance.id, ownerType: 'instance', jti: body.id });
    const { token: shown, ...rest } = body;
    expect((await get(shown, body.id)).body).toEqual(rest);
    expect((await list(shown)).body.items).toEqual([rest]);
    const [row] = await test.dataSource.query(
      'SELECT row_to_json(t)::text AS row FROM api_tokens t WHERE id = $1',
      [body.id],
    );
    expect(row.row).toContain(sha256(shown));
    expect(row.row).not.toContain(shown.split('.')[2]);
    expect(test.log.join('')).not.toContain(shown);
  });

  it('records the API token of the user or instance as the creator', async () => {
    const { admin, make } = await governed();
    const mine = await makeApiToken(test, admin.token, { name: 'Mine' });
    const first = await make(mine.token, { name: 'First' });
    expect(first).toMatchObject({ creatorId: mine.id, creatorType: 'apiToken', creatorName: 'Mine' });
    const second = await make(first.token);
    expect(second).toMatchObject({ creatorId: first.id, creatorType: 'apiToken', creatorName: 'First' });
  });

  it.each(['all.User', 'all.Application', 'all.Organization', 'org.get', 'instances.get', 'application.get'])(
    'accepts %s, which gives no access outside the instance',
    async (scope) => {
      const { admin, make } = await governed();
      const { token, ...made } = await make(admin.token, { scope: [scope] });
      expect(made.scope).toEqual([scope]);
      for (const path of ['/me', '/me/tokens', `/orgs/${UNKNOWN}`, `/applications/${UNKNOWN}`])
        expect([403, 404]).toContain((await test.client.get(path, { token })).status);
    },
  );

  it.each<[string, string[], object]>([
    ['all of them without the whole group', ['all.Instance.read'], {}],
    ['a wider level', ['all.Instance.read'], { scope: ['all.Instance.bounded'] }],
    ['another operation', ['instance.*'], { scope: ['instanceOrg.get'] }],
  ])('rejects scopes that those of the creator do not cover: %s', async (_, held, body) => {
    const { admin, create, make } = await governed();
    const scope = ['instanceApiTokens.post', ...held];
    for (const maker of [tokenOf(test, admin.id, scope), (await make(admin.token, { scope })).token]) {
      expect((await create(maker, body)).status).toBe(403);
      expect((await create(maker, { scope: held })).body.scope).toEqual(held);
    }
  });

  it.each<[string, object, string]>([
    ['no name', { name: undefined }, 'apiToken.name is required'],
    ['roles in organizations', { orgRoles: [{ orgId: UNKNOWN, role: 'view' }] }, 'apiToken.orgRoles'],
    ['another role', { defaultRole: 'owner' }, 'apiToken.defaultRole'],
  ])('rejects %s with 400', async (_, body, named) => {
    const { admin, create, list } = await governed();
    const answer = await create(admin.token, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ type: 'Validation', message: expect.stringContaining(named) });
    expect((await list(admin.token)).body.totalCount).toBe(0);
  });

  it.each([
    ['admin', 201],
    ['edit', 403],
    ['collaborate', 403],
    ['view', 403],
    ['none', 404],
  ] as const)(
    'creates a token capped to %s, which receives %i when it creates another',
    async (defaultRole, status) => {
      const { admin, make, create, list } = await governed();
      const made = await make(admin.token, { defaultRole });
      expect(made.defaultRole).toBe(defaultRole);
      expect((await list(made.token)).status).toBe(status === 404 ? 404 : 200);
      expect((await create(made.token)).status).toBe(status);
    },
  );

  it('requires the role admin in the instance', async () => {
    const { member, create, list } = await governed();
    const viewer = await member('view');
    expect((await list(viewer.token)).status).toBe(200);
    expect((await create(viewer.token)).status).toBe(403);
    const { token } = await makeUser(test);
    for (const answer of [await create(token), await list(token), await tokensOf(UNKNOWN).create(token)])
      expect([answer.status, answer.body.message]).toEqual([404, 'Instance was not found']);
    const elsewhere = await governed();
    expect((await create(elsewhere.admin.token)).status).toBe(404);
    expect((await create((await elsewhere.make(elsewhere.admin.token)).token)).status).toBe(404);
  });

  it('applies the cap of a user’s token to their role', async () => {
    const { admin, create, make, patch } = await governed();
    const org = await makeOrg(test, admin.token);
    const capped = await makeApiToken(test, admin.token, { defaultRole: 'view' });
    expect((await create(capped.token)).status).toBe(403);
    const whole = await makeApiToken(test, admin.token, { defaultRole: 'admin' });
    expect((await create(whole.token)).status).toBe(201);
    // Through a token of the instance, the caller would have access to the organization in which their own token is
    // capped.
    const single = await makeApiToken(test, admin.token, { orgRoles: [{ orgId: org.id, role: 'none' }] });
    expect((await create(single.token)).status).toBe(403);
    const made = await make(admin.token, { defaultRole: 'none' });
    expect((await patch(single.token, made.id, { defaultRole: 'admin' })).status).toBe(403);
  });

  it('limits the expiration to that of the token that creates it', async () => {
    const { admin, make, create } = await governed();
    const expirationDate = futureDate(HOUR);
    const first = await make(admin.token, { expirationDate });
    expect((await make(first.token)).expirationDate).toBe(expirationDate);
    expect((await create(first.token, { expirationDate: futureDate(2 * HOUR) })).status).toBe(400);
  });

  it.each([
    'all.Instance.bounded',
    'all.User.bounded',
    'instanceApiToken.*',
    'all.Organization',
    'instance.*',
  ])('rejects a token with the scope %s', async (scope) => {
    const { admin, create } = await governed();
    expect((await create(tokenOf(test, admin.id, [scope]))).status).toBe(403);
  });

  it('applies the limit of the instance, also to concurrent requests', async () => {
    const { admin, create, list } = await governed({ limits: { instanceApiToken: 2 } });
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(admin.token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 400, 400, 400, 400]);
    expect(answers.find(({ status }) => status === 400)!.body.message).toBe(
      'The limit of 2 API tokens of the instance is reached',
    );
    expect((await list(admin.token)).body.totalCount).toBe(2);
  });
});

describe('GET /instances/:instanceId/tokens', () => {
  it('returns the tokens of the instance, sorted by name', async () => {
    const { instance, admin, member, make, list } = await governed();
    const elsewhere = await governed();
    await elsewhere.make(elsewhere.admin.token);
    for (const name of ['b', 'a']) await make(admin.token, { name });
    const { status, body } = await list((await member('view')).token);
    expect(status).toBe(200);
    expect(body).toEqual({
      items: [expect.objectContaining({ name: 'a' }), expect.objectContaining({ name: 'b' })],
      count: 2,
      totalCount: 2,
      page: 0,
      perPage: 100,
      sortField: 'name',
      sortDirection: 'asc',
      ownerId: instance.id,
      ownerType: 'instance',
    });
    expect((await list(admin.token, '?filter=a&sortField=status')).body.totalCount).toBe(1);
    expect((await list(admin.token, '?sortField=scope')).status).toBe(400);
  });

  it.each([
    ['all.Instance.read', 200],
    ['all.Instance.bounded', 200],
    ['all.User.read', 200],
    ['instanceApiTokens.get', 200],
    ['instanceApiToken.get', 403],
    ['all.Organization', 403],
    ['all.Application', 403],
  ])('called with the scope %s returns %i', async (scope, status) => {
    const { admin, list } = await governed();
    expect((await list(tokenOf(test, admin.id, [scope]))).status).toBe(status);
  });
});

describe('An API token of an instance', () => {
  it('can be returned, updated and deleted', async () => {
    const { admin, make, get, patch, remove } = await governed();
    const { token: _shown, ...made } = await make(admin.token, { description: 'before' });
    const { status, body } = await patch(admin.token, made.id.toUpperCase(), { name: 'after' });
    expect(status).toBe(200);
    expect(body).toEqual({ ...made, name: 'after', lastUpdated: body.lastUpdated });
    expect((await get(admin.token, made.id)).body).toEqual(body);
    const answer = await remove(admin.token, made.id);
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    for (const answered of [
      await get(admin.token, made.id),
      await patch(admin.token, made.id, { name: 'x' }),
      await remove(admin.token, made.id),
    ])
      expect([answered.status, answered.body.message]).toEqual([404, 'API token was not found']);
  });

  it.each<[string, unknown]>([
    ['scope', ['instance.get']],
    ['expirationDate', '2999-01-01T00:00:00Z'],
    ['orgRoles', []],
    ['defaultRole', null],
    ['ownerType', 'user'],
  ])('rejects a change of %s to %j with 400', async (property, value) => {
    const { admin, make, patch } = await governed();
    const { id } = await make(admin.token);
    const { status, body } = await patch(admin.token, id, { [property]: value });
    expect(status).toBe(400);
    expect(body.message).toContain(`apiToken.${property}`);
  });

  it.each([
    ['admin', 200, 200],
    ['view', 200, 403],
  ] as const)(
    'for members with the role %s, returns %i on reading and %i on changing',
    async (role, read, write) => {
      const { admin, member, make, get, patch, remove } = await governed();
      const { id } = await make(admin.token);
      const { token } = await member(role);
      expect((await get(token, id)).status).toBe(read);
      expect((await patch(token, id, { status: 'inactive' })).status).toBe(write);
      expect((await remove(token, id)).status).toBe(write);
    },
  );

  it.each([
    ['instanceApiToken.*', 200, 200],
    ['all.Instance.bounded', 200, 403],
    ['all.User.read', 200, 403],
    ['instanceApiTokens.*', 403, 403],
    ['userApiToken.*', 403, 403],
  ])('can be read and changed with the scope %s: %i, %i', async (scope, read, write) => {
    const { admin, make, get, patch, remove } = await governed();
    const { id } = await make(admin.token);
    const token = tokenOf(test, admin.id, [scope]);
    expect((await get(token, id)).status).toBe(read);
    expect((await patch(token, id, { name: 'x' })).status).toBe(write);
    expect((await remove(token, id)).status).toBe(write);
  });

  it('returns 404 for a token of another instance', async () => {
    const [mine, theirs] = [await governed(), await governed()];
    const { id } = await theirs.make(theirs.admin.token);
    for (const answer of [
      await mine.get(mine.admin.token, id),
      await mine.patch(mine.admin.token, id, { status: 'inactive' }),
      await mine.remove(mine.admin.token, id),
    ])
      expect([answer.status, answer.body.message]).toEqual([404, 'API token was not found']);
    expect((await theirs.get(theirs.admin.token, id)).body.status).toBe('active');
  });

  it('requires a token', async () => {
    const { path } = tokensOf(UNKNOWN);
    expect((await test.client.get(path(UNKNOWN))).status).toBe(401);
    expect((await test.client.patch(path(UNKNOWN), {})).status).toBe(401);
    expect((await test.client.delete(path(UNKNOWN))).status).toBe(401);
  });
});

it('Tokens of an instance are recorded in its audit log without their secrets', async () => {
  const { instance, admin, make, patch, remove } = await governed();
  const made = await make(admin.token, { name: 'Monthly' });
  await patch(made.token, made.id, { name: 'Daily' });
  await remove(admin.token, made.id);
  const entries = await test.dataSource.manager.find(InstanceAuditLog, {
    where: { instanceId: instance.id },
    order: { creationDate: 'ASC', id: 'ASC' },
  });
  const target = { primaryTargetType: 'ApiToken', primaryTargetId: made.id, secondaryTargetId: null };
  expect(entries).toMatchObject([
    { ...target, requestResource: 'instanceApiTokens', requestAction: 'post', primaryTargetName: 'Monthly' },
    { ...target, requestAction: 'patch', actorType: 'ApiToken', actorId: made.id },
    { ...target, requestAction: 'delete', actorType: 'User', actorId: admin.id },
  ]);
  const text = JSON.stringify(entries);
  for (const secret of [made.token, made.token.split('.')[2], sha256(made.token)])
    expect(text).not.toContain(secret);
});
