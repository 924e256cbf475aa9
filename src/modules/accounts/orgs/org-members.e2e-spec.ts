import { makeApplication, makeMember, makeOrg, makeUser, tokenOf } from '../../../../test/make/make.js';
import { makeApiToken } from '../../../../test/make/sign-in.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';
import { AuditLog } from '../audit-logs/audit-log.resource.js';
import { User } from '../users/user.entity.js';
import { Org, OrgMember } from './org.resource.js';

const MISSING = { type: 'NotFound', message: 'Organization was not found' };

describe('Members of an organization', () => {
  const { test, other } = suite();

  const modify = (orgId: string, body: unknown, token: string, { client } = test) =>
    client.patch(`/orgs/${orgId}/member`, body, { token });
  const remove = (orgId: string, userId: string, token: string, { client } = test) =>
    client.delete(`/orgs/${orgId}/member?userId=${userId}`, { token });
  const membersOf = (orgId: string) =>
    test.dataSource.manager.find(OrgMember, { where: { orgId }, order: { userId: 'ASC' } });
  const adminsOf = (orgId: string) => test.dataSource.manager.countBy(OrgMember, { orgId, role: 'admin' });
  const entriesOf = (orgId: string) =>
    test.dataSource.manager.find(AuditLog, {
      where: { orgId, requestResource: 'org' },
      order: { creationDate: 'ASC' },
    });
  /** Creates an organization with two admins. */
  const twoAdmins = async () => {
    const one = await makeUser(test);
    const { id } = await makeOrg(test, one.token);
    return { id, one, two: await makeMember(test, id, 'admin') };
  };
  const setOrg = (id: string, changes: object) => test.dataSource.manager.update(Org, { id }, changes);

  it.each([
    ['none', 404],
    ['view', 403],
    ['collaborate', 403],
    ['edit', 403],
    ['admin', 200],
  ] as const)('can be changed and removed with the role %s: %i', async (role, status) => {
    const { id } = await makeOrg(test, (await makeUser(test)).token);
    const { token } = await makeMember(test, id, role);
    const subject = await makeMember(test, id, 'view');
    const before = await membersOf(id);
    expect((await modify(id, { userId: subject.id, role: 'edit' }, token)).status).toBe(status);
    expect((await remove(id, subject.id, token)).status).toBe(status);
    if (status !== 200) expect(await membersOf(id)).toEqual(before);
  });

  it('return 404 to callers outside the organization', async () => {
    const { id, one } = await twoAdmins();
    const { id: userId, token } = await makeUser(test);
    for (const asked of [id, newId()]) {
      for (const answer of [
        await modify(asked, { userId: one.id, role: 'view' }, token),
        await remove(asked, one.id, token),
        await remove(asked, userId, token),
      ])
        expect({ status: answer.status, body: answer.body }).toEqual({ status: 404, body: MISSING });
    }
    expect(await adminsOf(id)).toBe(2);
    expect((await test.client.patch(`/orgs/${id}/member`, { userId: one.id })).status).toBe(401);
    expect((await test.client.delete(`/orgs/${id}/member?userId=${one.id}`)).status).toBe(401);
  });

  it.each<[string, number]>([
    ['org.*', 200],
    ['only.Organization', 200],
    ['all.Organization', 200],
    ['all.Organization.bounded', 403],
    ['all.User.bounded', 403],
    ['org.patch', 403],
  ])('require scopes: %s returns %i', async (scope, status) => {
    const { id, one, two } = await twoAdmins();
    const token = tokenOf(test, one.id, [scope]);
    expect((await modify(id, { userId: two.id }, token)).status).toBe(status);
    expect((await remove(id, two.id, token)).status).toBe(status);
  });

  describe('when updated', () => {
    it('keep omitted properties and return the organization', async () => {
      const { id, one, two } = await twoAdmins();
      const roles = [{ resourceId: newId(), role: 'view' as const }];
      const upper = roles.map(({ resourceId, role }) => ({ resourceId: resourceId.toUpperCase(), role }));
      for (const [change, expected] of [
        [{ role: 'none' }, { role: 'none', applicationRoles: [], dashboardRoles: [] }],
        [{ applicationRoles: upper }, { role: 'none', applicationRoles: roles, dashboardRoles: [] }],
        [{ dashboardRoles: upper }, { role: 'none', applicationRoles: roles, dashboardRoles: roles }],
        [{}, { role: 'none', applicationRoles: roles, dashboardRoles: roles }],
        [{ applicationRoles: [] }, { role: 'none', applicationRoles: [], dashboardRoles: roles }],
      ] as const) {
        const { status, body } = await modify(id, { userId: two.id.toUpperCase(), ...change }, one.token);
        expect(status).toBe(200);
        expect(body).toEqual((await test.client.get(`/orgs/${id}`, { token: one.token })).body);
        expect(body.members).toHaveLength(2);
        const member = body.members.find(({ userId }: { userId: string }) => userId === two.id);
        expect(member).toMatchObject(expected);
      }
      const path = `/orgs/${id}/member?summaryInclude=memberCount`;
      const { body } = await test.client.patch(path, { userId: two.id }, { token: one.token });
      expect(body.summary).toEqual({ memberCount: 2 });
    });

    it.each<[string, object]>([
      ['userId', {}],
      ['userId', { userId: 'x' }],
      ['role', { role: 'owner' }],
      ['role', { role: null }],
      ['applicationRoles', { applicationRoles: [{ resourceId: newId(), role: 'admin' }] }],
      ['applicationRoles', { applicationRoles: [{ resourceId: 'x', role: 'view' }] }],
      ['dashboardRoles', { dashboardRoles: Array(101).fill({ resourceId: newId(), role: 'view' }) }],
      ['email', { email: 'a@example.com' }],
    ])('are rejected for %s in %.80j', async (property, given) => {
      const { id, one, two } = await twoAdmins();
      const body = property === 'userId' ? given : { userId: two.id, ...given };
      const answer = await modify(id, body, one.token);
      expect(answer.status).toBe(400);
      expect(answer.body.message).toMatch(new RegExp(`^member\\.${property}`));
    });

    it('cannot be the caller, for any change', async () => {
      const { id, one } = await twoAdmins();
      const before = await membersOf(id);
      for (const change of [{ role: 'view' }, { role: 'admin' }, { applicationRoles: [] }, {}]) {
        const { status, body } = await modify(id, { userId: one.id.toUpperCase(), ...change }, one.token);
        expect(status).toBe(400);
        expect(body.message).toMatch(/^member\.userId is you/);
      }
      expect(await membersOf(id)).toEqual(before);
    });

    it('must be members of this organization', async () => {
      const { id, one } = await twoAdmins();
      const elsewhere = await twoAdmins();
      for (const userId of [elsewhere.two.id, newId()]) {
        for (const answer of [
          await modify(id, { userId, role: 'view' }, one.token),
          await remove(id, userId, one.token),
        ])
          expect(answer).toMatchObject({ status: 404, body: { message: 'Member was not found' } });
      }
      expect(await adminsOf(elsewhere.id)).toBe(2);
      expect((await remove(id, 'x', one.token)).status).toBe(400);
      const nobody = await test.client.delete(`/orgs/${id}/member`, { token: one.token });
      expect(nobody).toMatchObject({ status: 400, body: { message: 'userId is required' } });
    });

    it('have their new roles immediately in every process', async () => {
      const { id, one, two } = await twoAdmins();
      const application = await makeApplication(test, one.token, { orgId: id });
      const path = `/applications/${application.id}`;
      const rename = () => other.client.patch(path, { name: 'renamed' }, { token: two.token });
      expect((await rename()).status).toBe(200);
      await modify(id, { userId: two.id, role: 'view' }, one.token);
      expect((await rename()).status).toBe(403);
      const applicationRoles = [{ resourceId: application.id, role: 'collaborate' }];
      await modify(id, { userId: two.id, role: 'none', applicationRoles }, one.token);
      expect((await rename()).status).toBe(200);
      expect((await other.client.get(`/orgs/${id}`, { token: two.token })).body).toEqual(MISSING);
      await modify(id, { userId: two.id, applicationRoles: [] }, one.token);
      expect((await rename()).status).toBe(404);
    });
  });

  describe('when removed', () => {
    it('lose access immediately in every process, but remain users', async () => {
      const { id, one, two } = await twoAdmins();
      const application = await makeApplication(test, one.token, { orgId: id });
      const paths = [`/orgs/${id}`, `/applications/${application.id}`];
      for (const path of paths) expect((await other.client.get(path, { token: two.token })).status).toBe(200);
      const { status, body } = await remove(id, two.id.toUpperCase(), one.token);
      expect(status).toBe(200);
      expect(body).toEqual((await test.client.get(`/orgs/${id}`, { token: one.token })).body);
      expect(body).toMatchObject({ members: [{ userId: one.id }], summary: { memberCount: 1 } });
      for (const path of paths) expect((await other.client.get(path, { token: two.token })).status).toBe(404);
      expect((await other.client.get('/me', { token: two.token })).status).toBe(200);
      expect((await remove(id, two.id, one.token)).status).toBe(404);
    });

    it.each(['none', 'view', 'collaborate', 'edit', 'admin'] as const)(
      'by themselves with the role %s only receive the identity of the organization',
      async (role) => {
        const { token } = await makeUser(test);
        const org = await makeOrg(test, token, { billingEmail: 'bills@example.com' });
        const member = await makeMember(test, org.id, role);
        const { status, body } = await remove(org.id, member.id, member.token);
        expect(status).toBe(200);
        expect(body).toEqual({
          id: org.id,
          orgId: org.id,
          creationDate: org.creationDate,
          lastUpdated: org.lastUpdated,
          name: org.name,
          isReadOnly: false,
          disabledAt: false,
          members: [],
          summary: {},
        });
        expect(await membersOf(org.id)).toHaveLength(1);
        expect((await remove(org.id, member.id, member.token)).body).toEqual(MISSING);
      },
    );

    it('by themselves need neither two-factor authentication nor an active organization', async () => {
      const { token } = await makeUser(test, { twoFactorKey: 'sealed' });
      const { id } = await makeOrg(test, token, { mfaMode: 'required' });
      const member = await makeMember(test, id, 'view');
      expect((await test.client.get(`/orgs/${id}`, { token: member.token })).status).toBe(403);
      expect((await remove(id, member.id, member.token)).status).toBe(200);
      await setOrg(id, { isReadOnly: true, mfaMode: 'notRequired' });
      const [one, two] = [await makeMember(test, id, 'admin'), await makeMember(test, id, 'admin')];
      expect((await modify(id, { userId: two.id, role: 'view' }, one.token)).status).toBe(403);
      expect((await remove(id, two.id, one.token)).status).toBe(403);
      expect((await remove(id, one.id, one.token)).status).toBe(200);
    });

    it('by their own token need a token with access to the organization', async () => {
      const { id, two } = await twoAdmins();
      const capped = async (role: string) =>
        (await makeApiToken(test, two.token, { orgRoles: [{ orgId: id, role }] })).token as string;
      expect((await remove(id, two.id, await capped('none'))).body).toEqual(MISSING);
      expect(await adminsOf(id)).toBe(2);
      expect((await remove(id, two.id, await capped('view'))).status).toBe(200);
    });
  });

  describe('always include an admin', () => {
    const LAST = 'userId is the last admin, who cannot be removed';

    it('who cannot leave', async () => {
      const { id, token } = await makeUser(test);
      const org = await makeOrg(test, token);
      await makeMember(test, org.id, 'edit');
      expect(await remove(org.id, id, token)).toMatchObject({ status: 400, body: { message: LAST } });
      expect(await adminsOf(org.id)).toBe(1);
    });

    it('whose account cannot be deleted', async () => {
      const { id, one, two } = await twoAdmins();
      await test.dataSource.manager.update(User, { id: two.id }, { permanentDeletion: new Date() });
      expect(await remove(id, one.id, one.token)).toMatchObject({ status: 400, body: { message: LAST } });
      const { body } = await test.client.get(`/orgs/${id}`, { token: one.token });
      expect(body).toMatchObject({ members: [{ userId: one.id }], summary: { memberCount: 1 } });
      expect((await modify(id, { userId: two.id, role: 'view' }, one.token)).status).toBe(404);
      expect((await remove(id, two.id, one.token)).status).toBe(404);
    });

    it('even if two demote each other concurrently in two processes', async () => {
      for (let round = 0; round < 10; round++) {
        const { id, one, two } = await twoAdmins();
        const answers = await Promise.all([
          modify(id, { userId: two.id, role: 'edit' }, one.token, test),
          modify(id, { userId: one.id, role: 'edit' }, two.token, other),
        ]);
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
        expect(await adminsOf(id)).toBe(1);
      }
    });

    it('even if two leave concurrently, or one leaves and removes the other', async () => {
      for (let round = 0; round < 10; round++) {
        const { id, one, two } = await twoAdmins();
        const answers = await Promise.all([
          remove(id, one.id, one.token, test),
          remove(id, round % 2 ? one.id : two.id, two.token, other),
        ]);
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
        expect(await adminsOf(id)).toBe(1);
      }
    });
  });

  it('are recorded in the audit log', async () => {
    const { id, one, two } = await twoAdmins();
    await modify(id, { userId: two.id, role: 'view' }, one.token);
    await remove(id, two.id, two.token);
    await remove(id, one.id, one.token);
    expect(await entriesOf(id)).toMatchObject([
      {
        actorId: one.id,
        requestAction: 'modifyMember',
        requestBody: { userId: two.id, role: 'view' },
        responseBody: { id: two.id },
        primaryTargetType: null,
      },
      { actorId: two.id, requestAction: 'removeMember', requestQueryParams: { userId: two.id } },
    ]);
  });
});
