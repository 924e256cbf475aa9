import {
  makeApplication,
  makeInstanceMember,
  makeMember,
  makeOrg,
  makeUser,
  tokenOf,
  uniqueName,
  type TestUser,
  makeInstance,
} from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';
import { OrgMember } from '../orgs/org.resource.js';

const MEMBER_MISSING = { type: 'NotFound', message: 'Member was not found' };

describe('Members of an organization, managed through its instance', () => {
  const { test, other } = suite();
  let admin: TestUser & { instanceId: string };
  let owner: TestUser;
  let org: any;
  let path: string;
  beforeAll(async () => {
    admin = await makeInstanceMember(test, 'admin');
  });
  beforeEach(async () => {
    owner = await makeUser(test, { firstName: 'Ada', lastName: 'Lovelace' });
    org = await makeOrg(test, owner.token);
    path = `/instances/${admin.instanceId}/orgs/${org.id}/members`;
  });

  const list = (query = '', token = admin.token) => test.client.get(`${path}${query}`, { token });
  const add = (body: object, token = admin.token) => test.client.post(path, body, { token });
  const get = (id: string, token = admin.token) => test.client.get(`${path}/${id}`, { token });
  const patch = (id: string, body: object, token = admin.token) =>
    test.client.patch(`${path}/${id}`, body, { token });
  const remove = (id: string, token = admin.token) => test.client.delete(`${path}/${id}`, { token });
  const rowOf = (userId: string) => test.dataSource.manager.findOneBy(OrgMember, { orgId: org.id, userId });
  const view = (user: TestUser, role: string, more: object = {}) => ({
    instanceId: admin.instanceId,
    orgId: org.id,
    userId: user.id,
    email: user.email,
    role,
    twoFactorAuthEnabled: false,
    ssoLinked: false,
    ...more,
  });
  const ownerView = () => view(owner, 'admin', { firstName: 'Ada', lastName: 'Lovelace' });
  const logged = (table: 'audit_logs' | 'instance_audit_logs'): Promise<any[]> =>
    test.dataSource.query(
      `SELECT request_resource || '.' || request_action AS operation, primary_target_type, primary_target_id,
         response_body FROM ${table}
       WHERE request_resource LIKE 'instanceOrgMember%' AND ${table === 'audit_logs' ? 'org_id' : 'primary_target_id'} = $1 ORDER BY creation_date, id`,
      [org.id],
    );

  describe('access', () => {
    it('is granted to read with the role view and to change with the role admin, and returns 404 to others', async () => {
      const viewer = await makeInstanceMember(test, 'view');
      const member = await makeMember(test, org.id, 'view');
      for (const [token, read, written] of [
        [viewer.token, 200, 403],
        [owner.token, 404, 404],
        [undefined, 401, 401],
      ] as const) {
        const statuses = [];
        for (const [method, at, body] of [
          ['GET', path, undefined],
          ['GET', `${path}/${member.id}`, undefined],
          ['POST', path, { userId: admin.id, role: 'view' }],
          ['PATCH', `${path}/${member.id}`, { role: 'edit' }],
          ['DELETE', `${path}/${member.id}`, undefined],
        ] as const)
          statuses.push((await test.client.request(method, at, { token, body })).status);
        expect(statuses).toEqual([read, read, written, written, written]);
      }
      expect((await list()).body.count).toBe(2);
      expect(await rowOf(member.id)).toMatchObject({ role: 'view' });
    });

    it('requires separate scopes', async () => {
      const { id } = await makeMember(test, org.id, 'view');
      for (const [scope, listed, read, changed] of [
        ['instanceOrgMembers.get', 200, 403, 403],
        ['instanceOrgMember.*', 403, 200, 200],
        ['all.Instance', 200, 200, 200],
        ['all.Instance.read', 200, 200, 403],
        ['all.Instance.bounded', 403, 403, 403],
        ['all.User.bounded', 403, 403, 403],
        ['all.Organization', 403, 403, 403],
      ] as const) {
        const token = tokenOf(test, admin.id, [scope]);
        const statuses = [
          (await list('', token)).status,
          (await get(id, token)).status,
          (await patch(id, { role: 'edit' }, token)).status,
        ];
        expect({ scope, statuses }).toEqual({ scope, statuses: [listed, read, changed] });
      }
    });

    it('returns 404 through another instance or organization, or for users outside the organization', async () => {
      const there = await makeInstance(test);
      const stranger = await makeInstanceMember(test, 'admin', { instanceId: there.id });
      const crossed = `/instances/${there.id}/orgs/${org.id}/members`;
      const missing = (title: string) => ({ type: 'NotFound', message: `${title} was not found` });
      expect((await test.client.get(crossed, { token: stranger.token })).body).toEqual(
        missing('Organization'),
      );
      const answer = await test.client.post(
        crossed,
        { userId: stranger.id, role: 'admin' },
        { token: stranger.token },
      );
      expect(answer.body).toEqual(missing('Organization'));
      expect((await test.client.get(crossed, { token: admin.token })).body).toEqual(missing('Instance'));
      const unknown = `/instances/${admin.instanceId}/orgs/${newId()}/members`;
      expect((await test.client.get(unknown, { token: admin.token })).body).toEqual(missing('Organization'));
      for (const id of [newId(), admin.id]) {
        expect((await get(id)).body).toEqual(MEMBER_MISSING);
        expect((await patch(id, { role: 'view' })).body).toEqual(MEMBER_MISSING);
        expect((await remove(id)).body).toEqual(MEMBER_MISSING);
      }
      expect((await get('x')).status).toBe(400);
    });
  });

  it('are listed without paging, sorted and filtered', async () => {
    const guest = await makeUser(test, { email: `${uniqueName('a')}@example.com`, twoFactorKey: 'sealed' });
    const edit = await makeMember(test, org.id, 'edit');
    await add({ userId: guest.id, role: 'none', applicationRoles: [{ resourceId: newId(), role: 'view' }] });
    const views = [view(guest, 'none', { twoFactorAuthEnabled: true }), ownerView(), view(edit, 'edit')];
    const byEmail = views.sort((a, b) => (a.email < b.email ? -1 : 1));
    expect((await list()).body).toEqual({
      items: byEmail,
      count: 3,
      instanceId: admin.instanceId,
      orgId: org.id,
      sortField: 'email',
      sortDirection: 'asc',
    });
    expect((await list('?sortDirection=desc&page=7&perPage=1')).body.items).toEqual(byEmail.toReversed());
    const roles = (await list('?sortField=role')).body.items.map(({ role }: { role: string }) => role);
    expect(roles).toEqual(['admin', 'edit', 'none']);
    expect((await list('?filterField=role&filter=e*')).body).toMatchObject({
      items: [view(edit, 'edit')],
      filterField: 'role',
      filter: 'e*',
    });
    expect((await list(`?filter=${owner.email.toUpperCase()}`)).body.items).toEqual([ownerView()]);
    for (const query of ['sortField=userId', 'filterField=firstName', 'sortDirection=up'])
      expect((await list(`?${query}`)).status).toBe(400);
    await test.dataSource.query('UPDATE users SET permanent_deletion = now() WHERE id = $1', [guest.id]);
    expect((await list()).body.count).toBe(2);
    expect((await get(guest.id)).body).toEqual(MEMBER_MISSING);
  });

  describe('when added', () => {
    it.each(['userId', 'email'] as const)('by %s become members immediately in every process', async (by) => {
      const user = await makeUser(test, { firstName: 'Grace' });
      const application = await makeApplication(test, owner.token, { orgId: org.id });
      const applicationRoles = [{ resourceId: application.id, role: 'collaborate' }];
      const dashboardRoles = [{ resourceId: newId(), role: 'none' }];
      for (const { client } of [test, other])
        expect((await client.get(`/orgs/${org.id}`, { token: user.token })).status).toBe(404);
      const name = { userId: user.id.toUpperCase(), email: user.email.toUpperCase() }[by];
      const { status, body } = await add({ [by]: name, role: 'view', applicationRoles, dashboardRoles });
      expect(status).toBe(200);
      expect(body).toEqual(view(user, 'view', { firstName: 'Grace' }));
      expect((await get(user.id.toUpperCase())).body).toEqual(body);
      expect(await rowOf(user.id)).toMatchObject({ role: 'view', applicationRoles, dashboardRoles });
      for (const { client } of [test, other]) {
        expect((await client.get(`/orgs/${org.id}`, { token: user.token })).status).toBe(200);
        const changed = await client.patch(
          `/applications/${application.id}`,
          { description: 'd' },
          { token: user.token },
        );
        expect(changed.status).toBe(200);
      }
    });

    it('must have an account in the instance and a verified address', async () => {
      const { id: instanceId } = await makeInstance(test);
      const stranger = await makeUser(test, { instanceId });
      const gone = await makeUser(test, { permanentDeletion: new Date(), dataDeletion: new Date() });
      const unverified = await makeUser(test, { emailVerified: false });
      for (const member of [
        { userId: newId() },
        { userId: stranger.id },
        { userId: gone.id },
        { email: `${uniqueName()}@example.com` },
        { email: stranger.email },
        { email: gone.email },
        { email: unverified.email },
      ]) {
        const { status, body } = await add({ ...member, role: 'view' });
        expect({ member, status, body }).toEqual({
          member,
          status: 404,
          body: { type: 'NotFound', message: 'User was not found' },
        });
      }
      expect((await list()).body.count).toBe(1);
    });

    it('by concurrent requests are added once, which invalidates their invitation', async () => {
      const user = await makeUser(test);
      const invites = path.replace('/members', '/invites');
      await test.client.post(invites, { email: user.email, role: 'view' }, { token: admin.token });
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => add({ userId: user.id, role: 'edit' })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([
        200,
        ...Array.from({ length: 7 }, () => 400),
      ]);
      expect((await add({ email: user.email, role: 'view' })).body.message).toMatch(/is already a member$/);
      expect((await test.client.get(invites, { token: admin.token })).body.items).toEqual([]);
    });

    it('must match the domains and the limit of the organization', async () => {
      const orgPath = path.replace('/members', '');
      await test.client.patch(
        orgPath,
        { whitelistedEmailDomains: ['other.example'], limits: { member: 2 } },
        { token: admin.token },
      );
      const outsider = await makeUser(test);
      expect((await add({ userId: outsider.id, role: 'view' })).status).toBe(400);
      const users = [];
      for (let i = 0; i < 3; i++)
        users.push(await makeUser(test, { email: `${uniqueName()}@other.example` }));
      const answers = await Promise.all(users.map(({ id }) => add({ userId: id, role: 'view' })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
      expect((await list()).body.count).toBe(2);
    });

    it.each<[string, object]>([
      ['member.', {}],
      ['member.', { userId: newId() }],
      ['member', { userId: newId(), email: 'a@example.com', role: 'view' }],
      ['member.', { userId: 'x', role: 'view' }],
      ['member.', { userId: newId(), role: 'owner' }],
      ['member.', { email: 'x', role: 'view' }],
      ['member', { userId: newId(), role: 'view', disallowTransfer: true }],
      [
        'member.',
        { userId: newId(), role: 'view', applicationRoles: [{ resourceId: newId(), role: 'admin' }] },
      ],
    ])('are rejected for %s in %j', async (start, body) => {
      const answer = await add(body);
      expect({ status: answer.status, type: answer.body.type }).toEqual({ status: 400, type: 'Validation' });
      expect(answer.body.message.startsWith(start)).toBe(true);
    });
  });

  describe('when updated', () => {
    it('have their new roles immediately in every process, and keep omitted ones', async () => {
      const resourceId = newId();
      const applicationRoles = [{ resourceId, role: 'view' as const }];
      const member = await makeMember(test, org.id, 'edit', { applicationRoles });
      const ask = async () => {
        const found = [];
        for (const { client } of [other, test])
          found.push((await client.get(`/orgs/${org.id}`, { token: member.token })).status);
        return found;
      };
      expect(await ask()).toEqual([200, 200]);
      const { status, body } = await patch(member.id, { role: 'none' });
      expect([status, body]).toEqual([200, view(member, 'none')]);
      expect(await ask()).toEqual([404, 404]);
      expect(await rowOf(member.id)).toMatchObject({ role: 'none', applicationRoles });
      const dashboardRoles = [{ resourceId: resourceId.toUpperCase(), role: 'collaborate' }];
      expect((await patch(member.id, { role: 'none', applicationRoles: [], dashboardRoles })).status).toBe(
        200,
      );
      expect(await rowOf(member.id)).toMatchObject({
        role: 'none',
        applicationRoles: [],
        dashboardRoles: [{ resourceId, role: 'collaborate' }],
      });
    });

    it('can be the caller, if the caller is a member of the instance', async () => {
      await add({ userId: admin.id, role: 'view' });
      expect((await patch(admin.id, { role: 'admin' })).status).toBe(200);
      expect((await test.client.get(`/orgs/${org.id}`, { token: admin.token })).status).toBe(200);
      expect((await remove(admin.id)).status).toBe(200);
      expect((await test.client.get(`/orgs/${org.id}`, { token: admin.token })).status).toBe(404);
    });

    it.each<[object, string]>([
      [{}, 'member.role is required'],
      [{ applicationRoles: [] }, 'member.role is required'],
      [{ role: null }, 'member.role '],
      [{ role: 'owner' }, 'member.role '],
      [{ role: 'view', email: 'a@example.com' }, 'member.email '],
      [{ role: 'view', userId: newId() }, 'member.userId '],
      [
        { role: 'view', applicationRoles: [{ resourceId: 'x', role: 'view' }] },
        'member.applicationRoles.0.resourceId ',
      ],
    ])('with %j are rejected', async (change, message) => {
      const { status, body } = await patch(owner.id, change);
      expect(status).toBe(400);
      expect(body.message.slice(0, message.length)).toBe(message);
    });
  });

  describe('who are the last admin', () => {
    it('cannot be demoted or removed', async () => {
      await makeMember(test, org.id, 'edit');
      for (const answer of [await patch(owner.id, { role: 'edit' }), await remove(owner.id)]) {
        expect(answer.status).toBe(400);
        expect(answer.body.message).toMatch(/last admin/);
      }
      expect((await patch(owner.id, { role: 'admin', dashboardRoles: [] })).status).toBe(200);
      const second = await makeMember(test, org.id, 'admin');
      expect((await patch(owner.id, { role: 'edit' })).status).toBe(200);
      expect((await remove(second.id)).status).toBe(400);
    });

    it('remain when two admins are concurrently demoted or removed', async () => {
      for (const [first, then] of [
        [remove, remove],
        [remove, (id: string) => patch(id, { role: 'view' })],
      ] as const) {
        const second = await makeMember(test, org.id, 'admin');
        const [{ id: userId }] = await test.dataSource.query(
          "SELECT user_id AS id FROM org_members WHERE org_id = $1 AND role = 'admin' AND user_id <> $2",
          [org.id, second.id],
        );
        const answers = await Promise.all([first(userId), then(second.id)]);
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
        const admins = await test.dataSource.manager.countBy(OrgMember, { orgId: org.id, role: 'admin' });
        expect(admins).toBe(1);
      }
    });
  });

  it('lose access immediately in every process when removed, but remain users', async () => {
    const member = await makeMember(test, org.id, 'view');
    for (const { client } of [other, test])
      expect((await client.get(`/orgs/${org.id}`, { token: member.token })).status).toBe(200);
    expect(await remove(member.id)).toMatchObject({ status: 200, body: { success: true } });
    for (const { client } of [other, test]) {
      expect((await client.get(`/orgs/${org.id}`, { token: member.token })).status).toBe(404);
      expect((await client.get('/me', { token: member.token })).status).toBe(200);
    }
    expect((await remove(member.id)).body).toEqual(MEMBER_MISSING);
  });

  it('are recorded in both audit logs when changed, but not if the change is rejected', async () => {
    const user = await makeUser(test);
    await add({ userId: user.id, role: 'view' });
    await patch(user.id, { role: 'edit' });
    await patch(owner.id, { role: 'view' });
    await remove(user.id);
    const entry = (operation: string) => ({ operation, response_body: { id: user.id } });
    const entries = [
      entry('instanceOrgMembers.post'),
      entry('instanceOrgMember.patch'),
      entry('instanceOrgMember.delete'),
    ];
    const none = { primary_target_type: null, primary_target_id: null };
    const primary = { primary_target_type: 'Organization', primary_target_id: org.id };
    expect(await logged('audit_logs')).toEqual(entries.map((one) => ({ ...one, ...none })));
    expect(await logged('instance_audit_logs')).toEqual(entries.map((one) => ({ ...one, ...primary })));
  });
});
