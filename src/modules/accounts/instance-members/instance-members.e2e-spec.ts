import type { TestApp } from '../../../../test/setup/app.js';
import {
  makeInstance,
  makeInstanceMember,
  makeUser,
  tokenOf,
  uniqueName,
  type TestUser,
} from '../../../../test/make/make.js';
import { makeTwoFactorUser } from '../../../../test/make/sign-in.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';
import { InstanceAuditLog } from '../audit-logs/audit-log.resource.js';
import { InstanceMember } from './instance-member.resource.js';

const MISSING = { type: 'NotFound', message: 'Member was not found' };
const LAST = { type: 'Validation', message: 'instanceMember is the last admin of the instance' };

const { test, other } = suite();
let id: string;
let admin: TestUser;
let path: string;
beforeEach(async () => {
  ({ id } = await makeInstance(test));
  admin = await makeInstanceMember(test, 'admin', { instanceId: id });
  path = `/instances/${id}/members`;
});

const join = (role: InstanceMember['role'], more: object = {}) =>
  makeInstanceMember(test, role, { instanceId: id, ...more });
const list = (query = '', token = admin.token) => test.client.get(path + query, { token });
const add = (body: unknown, token = admin.token) => test.client.post(path, body, { token });
const get = (userId: string, token = admin.token) => test.client.get(`${path}/${userId}`, { token });
const patch = (userId: string, body: unknown, token = admin.token) =>
  test.client.patch(`${path}/${userId}`, body, { token });
const remove = (userId: string, token = admin.token) => test.client.delete(`${path}/${userId}`, { token });
const entries = () =>
  test.dataSource.manager.find(InstanceAuditLog, { where: { instanceId: id }, order: { id: 'ASC' } });
const roles = async (): Promise<Record<string, string>> => {
  const members = await test.dataSource.manager.findBy(InstanceMember, { instanceId: id });
  return Object.fromEntries(members.map(({ userId, role }) => [userId, role]));
};

describe('The members of an instance', () => {
  it('are listed without paging', async () => {
    const member = await join('view', { firstName: 'Ada', lastName: 'Lovelace', ssoLinked: true });
    await join('admin', { permanentDeletion: new Date() });
    await makeInstanceMember(test, 'admin');
    const { status, body } = await list('?sortField=role', member.token);
    expect(status).toBe(200);
    const common = { instanceId: id, twoFactorAuthEnabled: false };
    expect(body).toEqual({
      items: [
        { ...common, userId: admin.id, email: admin.email, role: 'admin', ssoLinked: false },
        {
          ...common,
          userId: member.id,
          email: member.email,
          role: 'view',
          firstName: 'Ada',
          lastName: 'Lovelace',
          ssoLinked: true,
        },
      ],
      count: 2,
      sortField: 'role',
      sortDirection: 'asc',
      instanceId: id,
    });
  });

  it('can be sorted, and filtered by email address and role', async () => {
    const mark = uniqueName();
    await test.dataSource.query('UPDATE users SET email = $1 WHERE id = $2', [
      `${mark}-b@example.com`,
      admin.id,
    ]);
    await join('view', { email: `${mark}-c@example.com` });
    await join('view', { email: `${mark}-a@example.com` });
    const letters = async (query: string) =>
      (await list(query)).body.items.map(({ email }: { email: string }) => email.charAt(mark.length + 1));
    expect(await letters('')).toEqual(['a', 'b', 'c']);
    expect(await letters('?sortDirection=desc')).toEqual(['c', 'b', 'a']);
    expect((await letters('?sortField=role'))[0]).toBe('b');
    expect(await letters('?filter=*-C@EXAMPLE.com')).toEqual(['c']);
    expect(await letters('?filterField=role&filter=view')).toEqual(['a', 'c']);
    expect(await letters('?page=1&perPage=1')).toEqual(['a', 'b', 'c']);
    expect((await list('?filter=*-a@*')).body).toMatchObject({
      filterField: 'email',
      filter: '*-a@*',
      count: 1,
    });
    expect((await list('?sortField=userId')).status).toBe(400);
    expect((await list('?filterField=firstName&filter=a')).status).toBe(400);
  });

  it('include whether two-factor authentication is enabled', async () => {
    const safe = await makeTwoFactorUser(test);
    expect((await add({ userId: safe.id, role: 'view' })).body.twoFactorAuthEnabled).toBe(true);
    expect((await get(safe.id)).body.twoFactorAuthEnabled).toBe(true);
    expect((await get(admin.id)).body.twoFactorAuthEnabled).toBe(false);
  });

  it.each([
    ['instanceMembers.get', 200, 403, 403, 403, 403],
    ['instanceMembers.*', 200, 200, 403, 403, 403],
    ['instanceMember.get', 403, 403, 200, 403, 403],
    ['instanceMember.*', 403, 403, 200, 200, 200],
    ['instanceMember.patch', 403, 403, 403, 200, 403],
    ['all.Instance', 200, 200, 200, 200, 200],
    ['all.Instance.read', 200, 403, 200, 403, 403],
    ['all.Instance.bounded', 200, 403, 200, 403, 403],
    ['all.User.bounded', 200, 403, 200, 403, 403],
    ['all.Organization', 403, 403, 403, 403, 403],
    ['instance.*', 403, 403, 403, 403, 403],
  ])('with the scope %s return %i, %i, %i, %i and %i', async (scope, ...expected) => {
    const token = tokenOf(test, admin.id, [scope]);
    const [member, stranger] = [await join('view'), await makeUser(test)];
    const answers = [
      await list('', token),
      await add({ userId: stranger.id, role: 'view' }, token),
      await get(member.id, token),
      await patch(member.id, { role: 'view' }, token),
      await remove(member.id, token),
    ];
    expect(answers.map(({ status }) => status)).toEqual(expected);
  });

  it('can be read with the role view and changed by admins', async () => {
    const [viewer, member, stranger] = [await join('view'), await join('view'), await makeUser(test)];
    for (const [token, expected, message] of [
      [viewer.token, [200, 200, 403, 403, 403], 'Access is forbidden'],
      [stranger.token, [404, 404, 404, 404, 404], 'Instance was not found'],
      [undefined, [401, 401, 401, 401, 401], undefined],
    ] as const) {
      const options = { token };
      const answers = [
        await test.client.get(path, options),
        await test.client.get(`${path}/${member.id}`, options),
        await test.client.post(path, { userId: stranger.id, role: 'view' }, options),
        await test.client.patch(`${path}/${member.id}`, { role: 'admin' }, options),
        await test.client.delete(`${path}/${member.id}`, options),
      ];
      expect(answers.map(({ status }) => status)).toEqual(expected);
      if (message) expect(answers.at(-1)!.body.message).toBe(message);
    }
    expect(await roles()).toEqual({ [admin.id]: 'admin', [viewer.id]: 'view', [member.id]: 'view' });
    expect(await entries()).toEqual([]);
  });
});

describe('A new member', () => {
  it.each(['userId', 'email', 'both'])('is found by %s and has access immediately', async (by) => {
    const user = await makeUser(test);
    for (const { client } of [test, other])
      expect((await client.get(path, { token: user.token })).status).toBe(404);
    const found = {
      ...(by === 'email' ? {} : { userId: user.id.toUpperCase() }),
      ...(by === 'userId' ? {} : { email: user.email.toUpperCase() }),
    };
    const { status, body } = await add({ ...found, role: 'view' });
    expect(status).toBe(200);
    expect(body).toEqual({
      instanceId: id,
      userId: user.id,
      email: user.email,
      role: 'view',
      twoFactorAuthEnabled: false,
      ssoLinked: false,
    });
    expect((await get(user.id.toUpperCase())).body).toEqual(body);
    for (const { client } of [other, test])
      expect((await client.get(path, { token: user.token })).status).toBe(200);
  });

  it('must be an existing user', async () => {
    const [user, gone] = [await makeUser(test), await makeUser(test, { permanentDeletion: new Date() })];
    for (const named of [
      { userId: newId() },
      { email: `${uniqueName()}@example.com` },
      { userId: user.id, email: admin.email },
      { userId: gone.id },
      { email: gone.email },
    ])
      expect(await add({ ...named, role: 'view' })).toMatchObject({
        status: 404,
        body: { message: 'User was not found' },
      });
    expect(await roles()).toEqual({ [admin.id]: 'admin' });
  });

  it('must not be a member already, even with concurrent requests', async () => {
    const user = await makeUser(test);
    const body = { userId: user.id, role: 'admin' };
    const answers = await Promise.all(Array.from({ length: 6 }, () => add(body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
    expect((await add({ ...body, role: 'view' })).body).toEqual({
      type: 'Validation',
      message: 'instanceMember.userId is already that of a member',
    });
    expect((await add({ email: user.email, role: 'view' })).body.message).toBe(
      'instanceMember.email is already that of a member',
    );
    expect(await roles()).toMatchObject({ [user.id]: 'admin' });
    expect(await entries()).toHaveLength(1);
  });

  it.each<[object, string]>([
    [{}, 'role is required'],
    [{ userId: newId() }, 'role is required'],
    [{ role: 'view' }, 'email is required'],
    [{ userId: 'x', role: 'view' }, 'userId must match'],
    [{ email: 'x', role: 'view' }, 'email must be an email address'],
    [{ userId: newId(), role: 'edit' }, 'role must be one of admin, view'],
    [{ userId: newId(), role: 'view', name: 'x' }, 'name is not a property of instanceMember'],
  ])('cannot be created from %j', async (body, message) => {
    const answer = await add(body);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(new RegExp(`^instanceMember\\.${message}`));
  });
});

describe('The role of a member', () => {
  it('can be changed by an admin, with immediate effect in every process', async () => {
    const member = await join('view');
    const rename = ({ client }: TestApp) =>
      client.patch(`/instances/${id}`, { reportConfigs: [] }, { token: member.token });
    for (const app of [test, other]) expect((await rename(app)).status).toBe(403);
    const { status, body } = await patch(member.id, { role: 'admin' });
    expect({ status, body }).toEqual({ status: 200, body: { role: 'admin' } });
    for (const app of [other, test]) expect((await rename(app)).status).toBe(200);
    expect((await patch(member.id, { role: 'view' })).body).toEqual({ role: 'view' });
    for (const app of [other, test]) expect((await rename(app)).status).toBe(403);
  });

  it('cannot be changed by the member themselves', async () => {
    const second = await join('admin');
    expect(await patch(admin.id, { role: 'view' })).toMatchObject({
      status: 400,
      body: { message: 'instanceMember.role: you cannot change your own role' },
    });
    expect((await patch(admin.id, { role: 'admin' })).status).toBe(200);
    expect(await roles()).toEqual({ [admin.id]: 'admin', [second.id]: 'admin' });
    const limited = tokenOf(test, admin.id, ['instanceMember.patch']);
    expect((await patch(admin.id, { role: 'view' }, limited)).status).toBe(400);
  });

  it.each<[unknown, string]>([
    [{}, 'role is required'],
    [{ role: 'edit' }, 'role must be one of'],
    [{ role: null }, 'role must be'],
    [{ role: 'view', email: 'a@example.com' }, 'email is not a property'],
  ])('cannot be changed with %j', async (body, message) => {
    const member = await join('admin');
    const answer = await patch(member.id, body);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(new RegExp(`^instanceMember\\.${message}`));
    expect((await roles())[member.id]).toBe('admin');
  });
});

describe('A removed member', () => {
  it('loses access immediately in every process but remains a user', async () => {
    const member = await join('admin');
    for (const { client } of [test, other])
      expect((await client.get(path, { token: member.token })).status).toBe(200);
    expect(await remove(member.id)).toMatchObject({ status: 200, body: { success: true } });
    for (const { client } of [other, test]) {
      expect((await client.get(path, { token: member.token })).status).toBe(404);
      expect((await client.get('/me', { token: member.token })).status).toBe(200);
    }
    expect((await get(member.id)).body).toEqual(MISSING);
  });

  it('can be the caller, if another admin remains', async () => {
    await join('admin');
    expect((await remove(admin.id)).status).toBe(200);
    expect((await list()).status).toBe(404);
  });

  it('can be removed only once', async () => {
    const member = await join('view');
    const answers = await Promise.all(Array.from({ length: 5 }, () => remove(member.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
    expect(await entries()).toHaveLength(1);
  });

  it('must be a member; otherwise returns 404', async () => {
    const elsewhere = await makeInstanceMember(test, 'view');
    const gone = await join('view', { permanentDeletion: new Date() });
    for (const userId of [newId(), elsewhere.id, gone.id]) {
      for (const answer of [await get(userId), await patch(userId, { role: 'view' }), await remove(userId)])
        expect({ status: answer.status, body: answer.body }).toEqual({ status: 404, body: MISSING });
    }
    expect((await get('x')).status).toBe(400);
  });
});

describe('The last admin', () => {
  /** A token of the instance itself, which is not a member and could remove every admin. */
  const instanceToken = async () =>
    (await test.client.post(`/instances/${id}/tokens`, { name: uniqueName() }, { token: admin.token })).body
      .token;

  it('cannot be removed or demoted by any caller', async () => {
    await join('view');
    await join('admin', { permanentDeletion: new Date() });
    const token = await instanceToken();
    expect(await remove(admin.id)).toMatchObject({ status: 400, body: LAST });
    expect(await remove(admin.id, token)).toMatchObject({ status: 400, body: LAST });
    expect(await patch(admin.id, { role: 'view' }, token)).toMatchObject({ status: 400, body: LAST });
    expect((await patch(admin.id, { role: 'admin' }, token)).status).toBe(200);
    expect((await roles())[admin.id]).toBe('admin');
  });

  it.each(['removed', 'demoted', 'either'])('remains when all admins are concurrently %s', async (how) => {
    const admins = [admin, await join('admin'), await join('admin'), await join('admin')];
    const token = await instanceToken();
    const end = (userId: string, removed: boolean) =>
      removed ? remove(userId, token) : patch(userId, { role: 'view' }, token);
    const answers = await Promise.all(
      admins.map((one, i) => end(one.id, how === 'removed' || (how === 'either' && i % 2 === 0))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 400]);
    expect(Object.values(await roles()).filter((role) => role === 'admin')).toHaveLength(1);
  });

  it('remains when two admins concurrently remove each other', async () => {
    const second = await join('admin');
    const answers = await Promise.all([remove(second.id), remove(admin.id, second.token)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(Object.values(await roles())).toEqual(['admin']);
  });
});

describe('The audit log of the instance', () => {
  it('records each change to its members, with the user as the target', async () => {
    const user = await makeUser(test);
    await add({ email: user.email, role: 'view' });
    await patch(user.id, { role: 'admin' });
    await remove(user.id);
    const target = {
      actorId: admin.id,
      primaryTargetId: user.id,
      primaryTargetType: 'User',
      primaryTargetName: user.email,
      secondaryTargetId: null,
      responseBody: { id: user.id },
      responseStatus: 200,
    };
    expect(await entries()).toMatchObject([
      { ...target, requestResource: 'instanceMembers', requestAction: 'post', requestBody: { role: 'view' } },
      {
        ...target,
        requestResource: 'instanceMember',
        requestAction: 'patch',
        requestBody: { role: 'admin' },
      },
      { ...target, requestResource: 'instanceMember', requestAction: 'delete', requestBody: null },
    ]);
  });

  it('does not record rejected changes', async () => {
    await remove(admin.id);
    await patch(admin.id, { role: 'view' });
    await add({ userId: admin.id, role: 'view' });
    await add({ userId: newId(), role: 'view' });
    expect(await entries()).toEqual([]);
  });
});
