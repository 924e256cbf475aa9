import { unfolded } from '../../../../test/make/folding.js';
import { age, makeInvite, type TestInvite } from '../../../../test/make/invites.js';
import {
  makeApplication,
  makeMember,
  makeOrg,
  makeUser,
  uniqueName,
  type TestUser,
} from '../../../../test/make/make.js';
import { BEHIND_PROXY, freshAddress, clientAddress } from '../../../../test/make/sign-in.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';
import { Org, OrgMember } from '../orgs/org.resource.js';
import { OrgInvite } from '../orgs/org-invite.resource.js';
import { User } from '../users/user.entity.js';

const MISSING = { type: 'NotFound', message: 'Invitation was not found' };

describe('An invitation by email', () => {
  const { test, other } = suite(BEHIND_PROXY, { retries: false });
  let admin: TestUser;
  beforeAll(async () => {
    admin = await makeUser(test);
  });

  const look = (email: string, token: string, address?: string) =>
    test.client.get(`/invites?${new URLSearchParams({ token, email }).toString()}`, {
      headers: clientAddress(address),
    });
  const answer = ({ email, token }: TestInvite, accept: boolean, address?: string) =>
    test.client.post('/invites', { email, token, accept }, { headers: clientAddress(address) });
  const setOrg = (id: string, changes: object) => test.dataSource.manager.update(Org, { id }, changes);
  const stands = ({ id }: TestInvite) => test.dataSource.manager.existsBy(OrgInvite, { id });
  const membership = (orgId: string, userId: string) =>
    test.dataSource.manager.findOneBy(OrgMember, { orgId, userId });
  /** Creates a user with an invitation to an organization. */
  const makeGuest = async (roles: Record<string, unknown> = {}, more: Partial<User> = {}) => {
    const guest = await makeUser(test, more);
    const { id: orgId } = await makeOrg(test, admin.token);
    const invite = await makeInvite(test, orgId, admin.token, { email: guest.email, ...roles });
    return { guest, orgId: orgId as string, invite };
  };

  it('is shown with the organization, to its holder only', async () => {
    const org = await makeOrg(test, admin.token, { name: uniqueName('North Field') });
    const { email, token } = await makeInvite(test, org.id, admin.token, {
      email: `ski-${uniqueName()}@example.com`,
      role: 'collaborate',
    });
    const { status, body } = await look(email.toUpperCase(), token);
    expect(status).toBe(200);
    expect(body).toEqual({
      orgName: org.name,
      email,
      role: 'collaborate',
      inviteDate: expect.any(String),
      ttl: 604_800,
      disallowTransfer: false,
    });
    const another = await makeInvite(test, org.id, admin.token);
    for (const [address, secret] of [
      [email, another.token],
      [another.email, token],
      [email, 'x'],
      [email, token.toLowerCase()],
      ['x', token],
    ] as const)
      expect(await look(address, secret)).toMatchObject({ status: 404, body: MISSING });
    for (const odd of unfolded(email))
      expect(await look(odd, token)).toMatchObject({ status: 404, body: MISSING });
    for (const query of ['', `?token=${token}`, `?email=${email}`, `?token=&email=${email}`])
      expect((await test.client.get(`/invites${query}`, { headers: clientAddress() })).status).toBe(400);
  });

  it('makes its recipient a member with its roles, immediately in every process', async () => {
    const { id: orgId } = await makeOrg(test, admin.token);
    const application = await makeApplication(test, admin.token, { orgId });
    const applicationRoles = [{ resourceId: application.id, role: 'view' }];
    const dashboardRoles = [{ resourceId: newId(), role: 'collaborate' }];
    const guest = await makeUser(test);
    const roles = { email: guest.email, role: 'none', applicationRoles, dashboardRoles };
    const invite = await makeInvite(test, orgId, admin.token, roles);
    const path = `/applications/${application.id}`;
    expect((await other.client.get(path, { token: guest.token })).status).toBe(404);
    const { status, body } = await answer(invite, true);
    expect(status).toBe(200);
    expect(body).toEqual({ orgId, accepted: true });
    expect((await other.client.get(path, { token: guest.token })).status).toBe(200);
    expect(await membership(orgId, guest.id)).toMatchObject({
      role: 'none',
      applicationRoles,
      dashboardRoles,
    });
    expect(await stands(invite)).toBe(false);
    for (const accept of [true, false])
      expect(await answer(invite, accept)).toMatchObject({ status: 404, body: MISSING });
    expect((await look(invite.email, invite.token)).status).toBe(404);
  });

  it('is accepted once by concurrent requests', async () => {
    const { guest, orgId, invite } = await makeGuest();
    const answers = await Promise.all(Array.from({ length: 6 }, (_, i) => answer(invite, i !== 5)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404]);
    const { accepted } = answers.find(({ status }) => status === 200)!.body;
    expect((await membership(orgId, guest.id)) !== null).toBe(accepted);
  });

  it('is deleted when declined, with or without an account', async () => {
    const { guest, orgId, invite } = await makeGuest();
    const nobody = await makeInvite(test, orgId, admin.token);
    for (const declined of [invite, nobody]) {
      expect((await answer(declined, false)).body).toEqual({ orgId, accepted: false });
      expect(await stands(declined)).toBe(false);
      expect(await answer(declined, true)).toMatchObject({ status: 404 });
    }
    expect(await membership(orgId, guest.id)).toBeNull();
  });

  it.each<[string, Partial<User> | undefined]>([
    ['no account', undefined],
    ['one whose address is not verified', { emailVerified: false }],
    ['one that is deleted', { permanentDeletion: new Date() }],
  ])('cannot be accepted by %s, and remains open', async (_, user) => {
    const { id: orgId } = await makeOrg(test, admin.token);
    const email = user ? (await makeUser(test, user)).email : `${uniqueName('guest')}@example.com`;
    const invite = await makeInvite(test, orgId, admin.token, { email });
    const { status, body } = await answer(invite, true);
    expect(status).toBe(400);
    expect(body.message).toMatch(/^invite\.email does not belong to an account/);
    expect(await stands(invite)).toBe(true);
    expect(await test.dataSource.manager.countBy(OrgMember, { orgId })).toBe(1);
    await makeUser(test, user ? { email: `${uniqueName()}@example.com` } : { email });
    expect((await answer(invite, true)).status).toBe(user ? 400 : 200);
  });

  it('expires after seven days', async () => {
    const { guest, orgId, invite } = await makeGuest();
    await age(test, invite.id, 6.999);
    expect((await look(invite.email, invite.token)).status).toBe(200);
    await age(test, invite.id, 7.001);
    for (const late of [
      await look(invite.email, invite.token),
      await answer(invite, true),
      await answer(invite, false),
    ])
      expect(late).toMatchObject({ status: 410, body: { type: 'Gone' } });
    expect(await membership(orgId, guest.id)).toBeNull();
    expect(await stands(invite)).toBe(true);
  });

  it.each<[string, object, RegExp]>([
    ['limit', { limits: { member: 1 } }, /^The limit of 1 members is reached/],
    ['domains', { whitelistedEmailDomains: ['field.example'] }, /domain/],
    ['rest', { isReadOnly: true }, /read-only/],
    ['end', { disabledAt: new Date() }, /disabled/],
  ])('respects the organization’s %s', async (_, rule, message) => {
    const { guest, orgId, invite } = await makeGuest();
    await setOrg(orgId, rule);
    const { status, body } = await answer(invite, true);
    expect(status).toBe(400);
    expect(body.message).toMatch(message);
    expect(await membership(orgId, guest.id)).toBeNull();
    expect(await stands(invite)).toBe(true);
    await setOrg(orgId, {
      limits: { member: 2 },
      whitelistedEmailDomains: ['example.com'],
      isReadOnly: false,
      disabledAt: null,
    });
    expect((await answer(invite, true)).status).toBe(200);
  });

  it('is rejected if the user has become a member', async () => {
    const { id: orgId } = await makeOrg(test, admin.token);
    const member = await makeMember(test, orgId, 'view');
    const invite = await makeInvite(test, orgId, admin.token);
    await test.dataSource.manager.update(OrgInvite, { id: invite.id }, { email: member.email });
    const { status, body } = await answer({ ...invite, email: member.email }, true);
    expect(status).toBe(400);
    expect(body.message).toMatch(/is already a member/);
    expect(await membership(orgId, member.id)).toMatchObject({ role: 'view' });
  });

  it.each<[string, object]>([
    ['email', { email: undefined }],
    ['email', { email: 'nobody' }],
    ['token', { token: '' }],
    ['accept', { accept: undefined }],
    ['accept', { accept: 'true' }],
    ['role', { role: 'admin' }],
  ])('cannot be answered with an invalid %s in %j', async (property, given) => {
    const { invite } = await makeGuest();
    const body = { email: invite.email, token: invite.token, accept: true, ...given };
    const refused = await test.client.post('/invites', body, { headers: clientAddress() });
    expect(refused.status).toBe(400);
    expect(refused.body.message).toMatch(new RegExp(`^invite\\.${property}`));
    expect(await stands(invite)).toBe(true);
  });

  it('cannot be found by guessing', async () => {
    const { invite } = await makeGuest();
    const address = freshAddress();
    for (let i = 0; i < 100; i++) {
      const tried =
        i % 2 ? look(invite.email, `${i}`, address) : answer({ ...invite, token: `${i}` }, true, address);
      expect((await tried).status).toBe(404);
    }
    for (const refused of [
      await look(invite.email, invite.token, address),
      await answer(invite, true, address),
    ]) {
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await answer(invite, true)).status).toBe(200);
  });
});
