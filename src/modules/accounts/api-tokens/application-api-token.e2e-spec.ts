import { apiTokenCalls, HOUR, futureDate, UNKNOWN } from '../../../../test/make/api-tokens.js';
import { makeApplication, makeMember, makeOrg, makeUser, tokenOf } from '../../../../test/make/make.js';
import { makeApiToken } from '../../../../test/make/sign-in.js';
import { suite } from '../../../../test/setup/suite.js';
import { sha256 } from '../../../lib/crypto/hashes.js';
import { ROLES, type Role } from '../../../platform/operations/operation.js';
import { AuditLog } from '../audit-logs/audit-log.resource.js';

const { test } = suite();

const tokensOf = (applicationId: string) => apiTokenCalls(() => test, `/applications/${applicationId}`);

/** Creates an organization with an application that has one token, created by its admin. */
async function organized(body?: object) {
  const admin = await makeUser(test);
  const org = await makeOrg(test, admin.token);
  const application = await makeApplication(test, admin.token, { orgId: org.id });
  const calls = tokensOf(application.id);
  const { token: secret, ...made } = await calls.make(admin.token, body);
  const member = (role: Role) => makeMember(test, org.id, role);
  return { admin, org, application, made, secret, member, ...calls };
}

describe('An API token of an application', () => {
  it('is returned, including by upper-case IDs', async () => {
    const { admin, application, made, get } = await organized();
    expect((await get(admin.token, made.id)).body).toEqual(made);
    const upper = tokensOf(application.id.toUpperCase());
    expect((await upper.get(admin.token, made.id.toUpperCase())).body).toEqual(made);
  });

  it('updates the given properties and keeps the others', async () => {
    const { admin, made, patch } = await organized({
      description: 'before',
      expirationDate: futureDate(HOUR),
      defaultRole: 'collaborate',
    });
    const { status, body } = await patch(admin.token, made.id, { name: 'after' });
    expect(status).toBe(200);
    expect(body).toEqual({ ...made, name: 'after', lastUpdated: body.lastUpdated });
    expect((await patch(admin.token, made.id, {})).body).toMatchObject({ name: 'after' });
  });

  it.each<[string, unknown]>([
    ['scope', ['application.get']],
    ['expirationDate', '2999-01-01T00:00:00Z'],
    ['ownerId', UNKNOWN],
    ['tokenHash', 'x'],
    ['name', null],
    ['status', 'paused'],
    ['defaultRole', null],
    ['orgRoles', []],
    ['orgRoles', [{ orgId: UNKNOWN, role: 'view' }]],
  ])('rejects a change of %s to %j with 400', async (property, value) => {
    const { admin, made, get, patch } = await organized();
    const { status, body } = await patch(admin.token, made.id, { name: 'eve', [property]: value });
    expect(status).toBe(400);
    expect(body.message).toContain(`apiToken.${property}`);
    expect((await get(admin.token, made.id)).body).toEqual(made);
  });

  it('returns 404 once it has been deleted', async () => {
    const { admin, made, get, patch, remove } = await organized();
    const answer = await remove(admin.token, made.id);
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    for (const answered of [
      await get(admin.token, made.id),
      await patch(admin.token, made.id, { name: 'x' }),
      await remove(admin.token, made.id),
    ])
      expect([answered.status, answered.body]).toEqual([
        404,
        { type: 'NotFound', message: 'API token was not found' },
      ]);
  });

  it('is deleted once by two concurrent requests', async () => {
    const { admin, made, remove } = await organized();
    const answers = await Promise.all([1, 2].map(() => remove(admin.token, made.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  it('returns 404 for a token of another application or of the user, and under the path of the other', async () => {
    const { admin, application, made, get } = await organized();
    const second = await makeApplication(test, admin.token);
    const users = await makeApiToken(test, admin.token);
    const ofUser = apiTokenCalls(() => test);
    for (const [calls, id] of [
      [tokensOf(second.id), made.id],
      [tokensOf(application.id), users.id],
      [ofUser, made.id],
    ] as const)
      for (const answer of [
        await calls.get(admin.token, id),
        await calls.patch(admin.token, id, { status: 'inactive' }),
        await calls.remove(admin.token, id),
      ])
        expect([answer.status, answer.body.message]).toEqual([404, 'API token was not found']);
    expect((await get(admin.token, made.id)).body).toEqual(made);
    expect((await ofUser.get(admin.token, users.id)).body.status).toBe('active');
  });

  it.each<[Role, number, number]>([
    ['none', 404, 404],
    ['view', 200, 403],
    ['collaborate', 200, 403],
    ['edit', 200, 200],
    ['admin', 200, 200],
  ])('can be read and changed by members with the role %s: %i, %i', async (role, read, write) => {
    const { made, member, get, patch, remove } = await organized();
    const { token } = await member(role);
    expect((await get(token, made.id)).status).toBe(read);
    expect((await patch(token, made.id, { name: 'x' })).status).toBe(write);
    expect((await remove(token, made.id)).status).toBe(write);
  });

  it.each([
    ['all.Application', 200, 200],
    ['all.Organization', 200, 200],
    ['applicationApiToken.*', 200, 200],
    ['all.User.read', 200, 403],
    ['all.Application.bounded', 200, 403],
    ['applicationApiToken.get', 200, 403],
    ['applicationApiTokens.*', 403, 403],
    ['userApiToken.*', 403, 403],
    ['all.Application.cli', 403, 403],
    ['all.Instance', 403, 403],
  ])('can be read and changed with the scope %s: %i, %i', async (scope, read, write) => {
    const { admin, made, get, patch, remove } = await organized();
    const token = tokenOf(test, admin.id, [scope]);
    expect((await get(token, made.id)).status).toBe(read);
    expect((await patch(token, made.id, { name: 'x' })).status).toBe(write);
    expect((await remove(token, made.id)).status).toBe(write);
  });

  it('requires a token and a valid ID', async () => {
    const { admin, made, path, get } = await organized();
    expect((await test.client.get(path(made.id))).status).toBe(401);
    expect((await test.client.patch(path(made.id), {})).status).toBe(401);
    expect((await test.client.delete(path(made.id))).status).toBe(401);
    expect((await get(admin.token, 'nonsense')).status).toBe(400);
  });

  it('is recorded in the audit log of the organization without its secret', async () => {
    const { admin, org, application, made, secret, patch, remove } = await organized({ name: 'Nightly' });
    await patch(admin.token, made.id, { name: 'Daily' });
    await remove(secret, made.id);
    const entries = await test.dataSource.manager.find(AuditLog, {
      where: { orgId: org.id, secondaryTargetType: 'ApiToken' },
      order: { creationDate: 'ASC', id: 'ASC' },
    });
    expect(entries).toMatchObject([
      { requestResource: 'applicationApiTokens', requestAction: 'post', secondaryTargetName: 'Nightly' },
      { requestResource: 'applicationApiToken', requestAction: 'patch', secondaryTargetName: 'Daily' },
      { requestResource: 'applicationApiToken', requestAction: 'delete', actorType: 'ApiToken' },
    ]);
    for (const entry of entries)
      expect(entry).toMatchObject({
        primaryTargetType: 'Application',
        primaryTargetId: application.id,
        secondaryTargetId: made.id,
        responseBody: { id: made.id },
      });
    expect(entries[0]).toMatchObject({ actorType: 'User', actorId: admin.id, responseStatus: 201 });
    expect(entries[2]).toMatchObject({ actorId: made.id, secondaryTargetName: 'Daily' });
    const text = JSON.stringify(entries);
    for (const part of [secret, secret.split('.')[2], sha256(secret)]) expect(text).not.toContain(part);
  });
});

describe('The role of an application’s token', () => {
  it('can be changed to any role up to that of the caller', async () => {
    const { made, member, patch } = await organized();
    for (const role of ['edit', 'admin'] as const) {
      const { token } = await member(role);
      for (const defaultRole of ROLES) {
        const { status, body } = await patch(token, made.id, { defaultRole });
        if (role === 'edit' && defaultRole === 'admin') expect(status).toBe(403);
        else expect([status, body.defaultRole]).toEqual([200, defaultRole]);
      }
    }
  });

  it('cannot be raised by the token itself or by a token that it created', async () => {
    const { made, secret, make, patch } = await organized({ defaultRole: 'edit' });
    const child = await make(secret);
    for (const token of [secret, child.token])
      for (const id of [made.id, child.id])
        expect((await patch(token, id, { defaultRole: 'admin' })).status).toBe(403);
    expect((await patch(secret, made.id, { defaultRole: 'view' })).status).toBe(200);
    expect((await patch(secret, made.id, { defaultRole: 'edit' })).status).toBe(403);
  });

  it('cannot be raised by a user’s token above its cap', async () => {
    const { admin, org, made, patch } = await organized({ defaultRole: 'view' });
    const capped = await makeApiToken(test, admin.token, { orgRoles: [{ orgId: org.id, role: 'edit' }] });
    expect((await patch(capped.token, made.id, { defaultRole: 'admin' })).status).toBe(403);
    expect((await patch(capped.token, made.id, { defaultRole: 'edit' })).status).toBe(200);
  });
});
