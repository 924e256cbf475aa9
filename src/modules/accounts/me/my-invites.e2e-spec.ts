import { age, mailedToken, makeInvite, type TestInvite } from '../../../../test/make/invites.js';
import {
  makeApplication,
  makeInstance,
  makeOrg,
  makeUser,
  tokenOf,
  uniqueName,
} from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';
import { AuditLog } from '../audit-logs/audit-log.resource.js';
import { OrgInvite } from '../orgs/org-invite.resource.js';
import { Org, OrgMember } from '../orgs/org.resource.js';
import { User } from '../users/user.entity.js';

const MISSING = { type: 'NotFound', message: 'Invitation was not found' };
const ACTIONS = ['accept', 'reject', 'dismiss'] as const;

describe('The user’s invitations', () => {
  const { test, other } = suite();

  const list = (token: string) => test.client.get('/me/invites', { token });
  const get = (id: string, token: string) => test.client.get(`/me/invites/${id}`, { token });
  const respond = (id: string, action: unknown, token: string, { client } = test) =>
    client.post(`/me/invites/${id}`, { action }, { token });
  const stands = ({ id }: TestInvite) => test.dataSource.manager.existsBy(OrgInvite, { id });
  const membership = (orgId: string, userId: string) =>
    test.dataSource.manager.findOneBy(OrgMember, { orgId, userId });
  const setOrg = (id: string, changes: object) => test.dataSource.manager.update(Org, { id }, changes);
  const makeHost = async (more: Partial<User> = {}, body: object = {}) => {
    const host = await makeUser(test, more);
    const { id: orgId, name } = await makeOrg(test, host.token, { ...body });
    return { host, orgId: orgId as string, orgName: name as string };
  };
  /** Creates a user with an invitation to an organization. */
  const makeGuest = async (roles: Record<string, unknown> = {}) => {
    const { host, orgId } = await makeHost();
    const guest = await makeUser(test);
    const invite = await makeInvite(test, orgId, host.token, { email: guest.email, ...roles });
    return { ...guest, host, orgId, invite };
  };

  it('are listed newest first, with the organization and the sender', async () => {
    const guest = await makeUser(test);
    expect((await list(guest.token)).body).toEqual([]);
    const one = await makeHost({ firstName: 'Ada', lastName: 'Lovelace' });
    const two = await makeHost({ twoFactorKey: 'sealed' }, { mfaMode: 'adminRequired' });
    const first = await makeInvite(test, one.orgId, one.host.token, { email: guest.email, role: 'view' });
    const second = await makeInvite(test, two.orgId, two.host.token, { email: guest.email, role: 'admin' });
    const { status, body } = await list(guest.token);
    expect(status).toBe(200);
    const usual = { inviteDate: expect.any(String), ttl: 604_800, expired: false };
    expect(body).toEqual([
      {
        ...usual,
        id: second.id,
        orgName: two.orgName,
        role: 'admin',
        invitedBy: { email: two.host.email },
        requiresMFA: true,
      },
      {
        ...usual,
        id: first.id,
        orgName: one.orgName,
        role: 'view',
        invitedBy: { email: one.host.email, fullName: 'Ada Lovelace' },
        requiresMFA: false,
      },
    ]);
    for (const invite of body) expect((await get(invite.id, guest.token)).body).toEqual(invite);
    expect((await get(first.id.toUpperCase(), guest.token)).status).toBe(200);
  });

  it.each([
    ['required', 'view', true],
    ['adminRequired', 'edit', false],
    ['adminRequired', 'admin', true],
    ['notRequired', 'admin', false],
  ])(
    'report whether two-factor authentication is required: %s for %s is %p',
    async (mfaMode, role, requiresMFA) => {
      const { token, invite, orgId } = await makeGuest({ role });
      await setOrg(orgId, { mfaMode });
      expect((await get(invite.id, token)).body).toMatchObject({ requiresMFA });
    },
  );

  it.each(ACTIONS)('belong to the user: other users cannot %s them', async (action) => {
    const { invite, orgId, host } = await makeGuest();
    const stranger = await makeUser(test);
    for (const { token } of [stranger, host]) {
      for (const id of [invite.id, newId()]) {
        expect(await get(id, token)).toMatchObject({ status: 404, body: MISSING });
        expect(await respond(id, action, token)).toMatchObject({ status: 404, body: MISSING });
      }
      expect((await get('x', token)).status).toBe(400);
    }
    expect(await stands(invite)).toBe(true);
    expect(await membership(orgId, stranger.id)).toBeNull();
    expect((await list(stranger.token)).body).toEqual([]);
    expect((await test.client.get('/me/invites')).status).toBe(401);
  });

  it.each<[string, (userId: string) => Promise<object>]>([
    ['whose address is not verified', () => Promise.resolve({ emailVerified: false })],
    ['of another instance', async () => ({ instanceId: (await makeInstance(test)).id })],
  ])('are not visible to a user %s', async (_, change) => {
    const { id, token, invite, orgId } = await makeGuest();
    await test.dataSource.manager.update(User, { id }, await change(id));
    expect((await list(token)).body).toEqual([]);
    expect((await get(invite.id, token)).body).toEqual(MISSING);
    for (const action of ACTIONS) expect((await respond(invite.id, action, token)).body).toEqual(MISSING);
    expect(await membership(orgId, id)).toBeNull();
    expect(await stands(invite)).toBe(true);
  });

  describe('when accepted', () => {
    it('create a member with the given roles, immediately in every process', async () => {
      const { host, orgId } = await makeHost();
      const guest = await makeUser(test);
      const application = await makeApplication(test, host.token, { orgId });
      const applicationRoles = [{ resourceId: application.id, role: 'none' }];
      const dashboardRoles = [{ resourceId: newId(), role: 'view' }];
      const roles = { email: guest.email, role: 'edit', applicationRoles, dashboardRoles };
      const invite = await makeInvite(test, orgId, host.token, roles);
      const organization = () => other.client.get(`/orgs/${orgId}`, { token: guest.token });
      expect((await organization()).status).toBe(404);
      const { status, body } = await respond(invite.id.toUpperCase(), 'accept', guest.token);
      expect(status).toBe(200);
      expect(body).toEqual({ orgId, result: 'accepted' });
      expect((await organization()).status).toBe(200);
      const hidden = await other.client.get(`/applications/${application.id}`, { token: guest.token });
      expect(hidden.status).toBe(404);
      expect(await membership(orgId, guest.id)).toMatchObject({
        role: 'edit',
        applicationRoles,
        dashboardRoles,
      });
      expect((await list(guest.token)).body).toEqual([]);
      for (const action of ACTIONS)
        expect((await respond(invite.id, action, guest.token)).body).toEqual(MISSING);
    });

    it('many times concurrently are accepted once', async () => {
      const { id, token, invite, orgId } = await makeGuest();
      const byMail = { email: invite.email, token: invite.token, accept: true };
      const answers = await Promise.all([
        ...[test, other, test, other].map((app) => respond(invite.id, 'accept', token, app)),
        test.client.post('/invites', byMail),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
      expect(await membership(orgId, id)).toMatchObject({ role: 'edit' });
    });

    it.each<[object, RegExp]>([
      [{ limits: { member: 1 } }, /^The limit of 1 members is reached/],
      [{ whitelistedEmailDomains: ['field.example'] }, /domain/],
      [{ isReadOnly: true }, /read-only/],
    ])('respect the rules of the organization: %j', async (rule, message) => {
      const { id, token, invite, orgId } = await makeGuest();
      await setOrg(orgId, rule);
      const { status, body } = await respond(invite.id, 'accept', token);
      expect(status).toBe(400);
      expect(body.message).toMatch(message);
      expect(await membership(orgId, id)).toBeNull();
      expect((await list(token)).body).toMatchObject([{ id: invite.id }]);
    });

    it('concurrently for the last place are accepted once', async () => {
      const { host, orgId } = await makeHost();
      const guests = [await makeUser(test), await makeUser(test), await makeUser(test)];
      const invites: TestInvite[] = [];
      for (const { email } of guests) invites.push(await makeInvite(test, orgId, host.token, { email }));
      // Leaves only one of the places reserved by invitations.
      await setOrg(orgId, { limits: { member: 4 } });
      await test.dataSource.manager.insert(
        OrgMember,
        [await makeUser(test), await makeUser(test)].map(({ id: userId }) => ({
          orgId,
          userId,
          role: 'view' as const,
          creationDate: new Date(),
        })),
      );
      const answers = await Promise.all(
        guests.map(({ token }, i) => respond(invites[i]!.id, 'accept', token, i % 2 ? other : test)),
      );
      const full = answers.filter(({ status }) => status === 400);
      expect(full).toHaveLength(3);
      await respond(invites[0]!.id, 'reject', guests[0]!.token);
      await respond(invites[1]!.id, 'reject', guests[1]!.token);
      expect((await respond(invites[2]!.id, 'accept', guests[2]!.token)).status).toBe(200);
      expect(await test.dataSource.manager.countBy(OrgMember, { orgId })).toBe(4);
    });
  });

  it('are deleted when rejected', async () => {
    const { id, token, invite, orgId } = await makeGuest();
    expect(await respond(invite.id, 'reject', token)).toMatchObject({
      status: 200,
      body: { orgId, result: 'rejected' },
    });
    expect(await stands(invite)).toBe(false);
    expect((await list(token)).body).toEqual([]);
    expect((await respond(invite.id, 'accept', token)).body).toEqual(MISSING);
    const byMail = { email: invite.email, token: invite.token, accept: true };
    expect((await test.client.post('/invites', byMail)).status).toBe(404);
    expect(await membership(orgId, id)).toBeNull();
  });

  it('are hidden when dismissed until they are resent, and their email remains valid', async () => {
    const { id, token, invite, orgId, host } = await makeGuest();
    expect(await respond(invite.id, 'dismiss', token)).toMatchObject({
      status: 200,
      body: { orgId, result: 'dismissed' },
    });
    expect((await list(token)).body).toEqual([]);
    expect((await get(invite.id, token)).body).toEqual(MISSING);
    for (const action of ACTIONS) expect((await respond(invite.id, action, token)).body).toEqual(MISSING);
    const pending = await test.client.get(`/orgs/${orgId}/invites`, { token: host.token });
    expect(pending.body).toMatchObject([{ id: invite.id }]);
    const seen = new URLSearchParams({ token: invite.token, email: invite.email });
    expect((await test.client.get(`/invites?${seen.toString()}`)).status).toBe(200);
    await makeInvite(test, orgId, host.token, { email: invite.email });
    expect((await list(token)).body).toMatchObject([{ id: invite.id }]);
    const renewed = { email: invite.email, token: await mailedToken(test, invite.email), accept: true };
    await respond(invite.id, 'dismiss', token);
    expect((await test.client.post('/invites', renewed)).status).toBe(200);
    expect(await membership(orgId, id)).not.toBeNull();
  });

  it('can only be dismissed after they have expired', async () => {
    const { id, token, invite, orgId } = await makeGuest();
    await age(test, invite.id, 7.001);
    expect((await list(token)).body).toMatchObject([{ id: invite.id, expired: true }]);
    for (const action of ['accept', 'reject'])
      expect(await respond(invite.id, action, token)).toMatchObject({ status: 410, body: { type: 'Gone' } });
    expect(await membership(orgId, id)).toBeNull();
    expect(await stands(invite)).toBe(true);
    expect((await respond(invite.id, 'dismiss', token)).status).toBe(200);
    expect((await list(token)).body).toEqual([]);
  });

  it('disappear immediately when the organization is deleted', async () => {
    const { token, invite, orgId, host } = await makeGuest();
    await test.client.delete(`/orgs/${orgId}`, { token: host.token });
    expect((await list(token)).body).toEqual([]);
    expect((await get(invite.id, token)).body).toEqual(MISSING);
    for (const action of ACTIONS) expect((await respond(invite.id, action, token)).body).toEqual(MISSING);
  });

  it.each([[{}], [{ action: 'delete' }], [{ action: null }], [{ action: 'accept', role: 'admin' }]])(
    'cannot be answered with %j',
    async (body) => {
      const { token, invite } = await makeGuest();
      const refused = await test.client.post(`/me/invites/${invite.id}`, body, { token });
      expect(refused.status).toBe(400);
      expect(refused.body.message).toMatch(/^answer\./);
      expect(await stands(invite)).toBe(true);
    },
  );

  it.each<[string, number, number]>([
    ['all.User', 200, 200],
    ['only.User', 200, 200],
    ['all.User.bounded', 200, 403],
    ['all.User.read', 200, 403],
    ['me.invites', 200, 403],
    ['me.respondToInvite', 403, 200],
    ['me.get', 403, 403],
  ])('with the scope %s return %i when listed and %i when answered', async (scope, listed, answered) => {
    const { id, invite } = await makeGuest();
    const token = tokenOf(test, id, [scope]);
    expect((await list(token)).status).toBe(listed);
    expect((await respond(invite.id, 'accept', token)).status).toBe(answered);
  });

  it('are recorded in the organization’s audit log when answered', async () => {
    const { id, email, token, invite, orgId, host } = await makeGuest();
    const stranger = await makeUser(test, { email: `${uniqueName('guest')}@example.com` });
    const second = await makeInvite(test, orgId, host.token, { email: stranger.email });
    await respond(second.id, 'dismiss', stranger.token);
    await respond(invite.id, 'accept', token);
    const entries = await test.dataSource.manager.findBy(AuditLog, {
      orgId,
      requestAction: 'respondToInvite',
    });
    expect(entries).toMatchObject([
      {
        actorId: id,
        actorName: email,
        requestBody: { action: 'accept' },
        responseBody: { id },
        primaryTargetType: 'OrgInvite',
        primaryTargetId: invite.id,
        primaryTargetName: email,
      },
    ]);
  });
});
