import { age, mailedToken, makeInvite } from '../../../../test/make/invites.js';
import { mailsTo } from '../../../../test/doubles/mails.js';
import { makeMember, makeOrg, makeUser, tokenOf, uniqueName } from '../../../../test/make/make.js';
import { sharedKeys } from '../../../../test/make/sign-in.js';
import { suite } from '../../../../test/setup/suite.js';
import { Database } from '../../../platform/database/database.js';
import { newId } from '../../../platform/repositories/resource.js';
import { AuditLog } from '../audit-logs/audit-log.resource.js';
import { OrgMembersService } from '../orgs/org-members.service.js';
import { Org, OrgMember } from '../orgs/org.resource.js';
import { OrgInvite } from '../orgs/org-invite.resource.js';

describe('Invitations of an organization', () => {
  const { test } = suite({ ...sharedKeys(), PUBLIC_URL: 'https://field.example.com' }, { retries: false });

  const address = () => `${uniqueName('guest')}@example.com`;
  const invite = (orgId: string, body: unknown, token: string) =>
    test.client.post(`/orgs/${orgId}/invites`, body, { token });
  const list = (orgId: string, token: string) => test.client.get(`/orgs/${orgId}/invites`, { token });
  const revoke = (orgId: string, inviteId: string, token: string) =>
    test.client.delete(`/orgs/${orgId}/invites?inviteId=${inviteId}`, { token });
  const look = (email: string, token: string) =>
    test.client.get(`/invites?${new URLSearchParams({ token, email }).toString()}`);
  const openCount = async (orgId: string, token: string) =>
    (await test.client.get(`/orgs/${orgId}`, { token })).body.summary.pendingInviteCount as number;
  const setOrg = (id: string, changes: object) => test.dataSource.manager.update(Org, { id }, changes);
  const makeAdmin = async (more: object = {}) => {
    const admin = await makeUser(test, more);
    return { ...admin, orgId: (await makeOrg(test, admin.token)).id as string };
  };

  describe('when sent', () => {
    it('are limited to ten per hour for each address, regardless of the sender', async () => {
      const email = address();
      const [one, two] = [await makeAdmin(), await makeAdmin()];
      const statuses: number[] = [];
      for (let sent = 0; sent < 6; sent++)
        for (const { orgId, token } of [one, two])
          statuses.push((await invite(orgId, { email, role: 'view' }, token)).status);
      expect(statuses).toEqual([...Array<number>(10).fill(200), 429, 429]);
      expect(await mailsTo(test, email)).toHaveLength(10);
      expect((await invite(one.orgId, { email: address(), role: 'view' }, one.token)).status).toBe(200);
    });

    it('return all open invitations, newest first', async () => {
      const { orgId, token } = await makeAdmin();
      const [one, two] = [address(), address()];
      await invite(orgId, { email: one, role: 'view' }, token);
      const roles = [{ resourceId: newId(), role: 'view' }];
      const upper = roles.map(({ resourceId, role }) => ({ resourceId: resourceId.toUpperCase(), role }));
      const { status, body } = await invite(
        orgId,
        {
          email: two.toUpperCase(),
          role: 'none',
          applicationRoles: upper,
          dashboardRoles: upper,
          disallowTransfer: true,
        },
        token,
      );
      expect(status).toBe(200);
      const usual = {
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        inviteDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        ttl: 604_800,
        hasExpired: false,
      };
      expect(body).toEqual([
        {
          ...usual,
          email: two,
          role: 'none',
          applicationRoles: roles,
          dashboardRoles: roles,
          disallowTransfer: true,
        },
        {
          ...usual,
          email: one,
          role: 'view',
          applicationRoles: [],
          dashboardRoles: [],
          disallowTransfer: false,
        },
      ]);
      expect((await list(orgId, token)).body).toEqual(body);
      expect(await openCount(orgId, token)).toBe(2);
    });

    it('are sent in an email with the organization, the sender, the expiration and how to respond', async () => {
      const { orgId, token, email: inviter } = await makeAdmin({ firstName: 'Ada', lastName: 'Lovelace' });
      await setOrg(orgId, { name: 'North\r\n\u2028  Field' });
      const email = address();
      await invite(orgId, { email, role: 'collaborate' }, token);
      const [mail, ...others] = await mailsTo(test, email);
      expect(others).toEqual([]);
      expect(mail!.subject).toBe('Invitation to North Field');
      const secret = await mailedToken(test, email);
      expect(secret).toMatch(/^[\w-]{43}$/);
      expect(mail!.text).toContain(`Ada Lovelace <${inviter}> invites you to the organization "North Field"`);
      expect(mail!.text).toContain('"collaborate"');
      expect(mail!.text).toContain('POST https://field.example.com/invites');
      expect(mail!.text).toContain('7 days');
      const link = /https:\/\/\S+\/invites\?\S+/.exec(mail!.text)![0];
      const { pathname, search } = new URL(link);
      const seen = await test.client.get(pathname + search);
      expect(seen.body).toMatchObject({ email, role: 'collaborate', ttl: 604_800 });
      const rows: unknown = await test.dataSource.query('SELECT * FROM org_invites WHERE email = $1', [
        email,
      ]);
      expect(rows).toHaveLength(1);
      expect(JSON.stringify([rows, (await list(orgId, token)).body, test.log])).not.toContain(secret);
    });

    it('to the same address again are valid only with the new email and the new roles', async () => {
      const { orgId, token } = await makeAdmin();
      const first = await makeInvite(test, orgId, token, { role: 'admin' });
      await age(test, first.id, 3);
      const second = await makeInvite(test, orgId, token, { role: 'view', email: first.email.toUpperCase() });
      expect(second.token).not.toBe(first.token);
      expect((await look(first.email, first.token)).status).toBe(404);
      expect((await look(first.email, second.token)).body).toMatchObject({ role: 'view' });
      const { body } = await list(orgId, token);
      expect(body).toMatchObject([{ id: first.id, role: 'view', hasExpired: false }]);
      expect(Date.now() - Date.parse(body[0].inviteDate)).toBeLessThan(86_400_000);
    });

    it('to the same address twice concurrently are stored as one', async () => {
      const { orgId, token } = await makeAdmin();
      const email = address();
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => invite(orgId, { email, role: 'view' }, token)),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      expect((await list(orgId, token)).body).toHaveLength(1);
    });

    it.each<[string, object]>([
      ['email', { email: undefined }],
      ['email', { email: 'nobody' }],
      ['email', { email: `"a b"@example.com` }],
      ['role', { role: undefined }],
      ['role', { role: 'owner' }],
      ['applicationRoles', { applicationRoles: [{ resourceId: newId(), role: 'edit' }] }],
      ['ttl', { ttl: 5 }],
    ])('are rejected for %s in %.80j', async (property, given) => {
      const { orgId, token } = await makeAdmin();
      const { status, body } = await invite(orgId, { email: address(), role: 'view', ...given }, token);
      expect(status).toBe(400);
      expect(body.message).toMatch(new RegExp(`^invite\\.${property}`));
      expect((await list(orgId, token)).body).toEqual([]);
    });

    it('are rejected for members', async () => {
      const { orgId, token, email } = await makeAdmin();
      const member = await makeMember(test, orgId, 'none');
      for (const known of [email, member.email.toUpperCase()]) {
        const { status, body } = await invite(orgId, { email: known, role: 'view' }, token);
        expect(status).toBe(400);
        expect(body.message).toBe('invite.email is the address of a member');
      }
      const elsewhere = await makeAdmin();
      expect((await invite(elsewhere.orgId, { email, role: 'view' }, elsewhere.token)).status).toBe(200);
    });

    it('are limited to the domains that the organization allows', async () => {
      const { orgId, token } = await makeAdmin();
      await setOrg(orgId, { whitelistedEmailDomains: ['Field.example'] });
      for (const [email, status] of [
        ['a@field.example', 200],
        ['A@FIELD.EXAMPLE', 200],
        ['a@sub.field.example', 400],
        ['a@xfield.example', 400],
        ['field.example@example.com', 400],
      ] as const)
        expect({ email, status: (await invite(orgId, { email, role: 'view' }, token)).status }).toEqual({
          email,
          status,
        });
    });
  });

  describe('within the member limit', () => {
    const limit = (orgId: string, member: number) => setOrg(orgId, { limits: { member } });

    it('are counted until they expire', async () => {
      const { orgId, token } = await makeAdmin();
      await limit(orgId, 2);
      const first = await makeInvite(test, orgId, token);
      const refused = await invite(orgId, { email: address(), role: 'view' }, token);
      expect(refused).toMatchObject({
        status: 400,
        body: { type: 'Validation', message: 'The limit of 2 members is reached' },
      });
      await makeInvite(test, orgId, token, { email: first.email });
      await age(test, first.id, 8);
      await makeInvite(test, orgId, token);
      expect((await invite(orgId, { email: first.email, role: 'view' }, token)).status).toBe(400);
      expect((await list(orgId, token)).body).toMatchObject([{ hasExpired: false }, { id: first.id }]);
    });

    it('are limited to one of many concurrent requests for the last place', async () => {
      const { orgId, token } = await makeAdmin();
      await limit(orgId, 3);
      await makeMember(test, orgId, 'view');
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => invite(orgId, { email: address(), role: 'view' }, token)),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect((await list(orgId, token)).body).toHaveLength(1);
    });
  });

  it('are listed but not counted after they have expired', async () => {
    const { orgId, token } = await makeAdmin();
    const [old, young] = [await makeInvite(test, orgId, token), await makeInvite(test, orgId, token)];
    await age(test, old.id, 7.001);
    await age(test, young.id, 6.999);
    expect((await list(orgId, token)).body).toMatchObject([
      { id: young.id, hasExpired: false },
      { id: old.id, hasExpired: true },
    ]);
    expect(await openCount(orgId, token)).toBe(1);
  });

  it('become invalid when revoked', async () => {
    const { orgId, token } = await makeAdmin();
    const elsewhere = await makeAdmin();
    const [kept, gone] = [await makeInvite(test, orgId, token), await makeInvite(test, orgId, token)];
    expect((await revoke(elsewhere.orgId, gone.id, elsewhere.token)).status).toBe(404);
    const { status, body } = await revoke(orgId, gone.id.toUpperCase(), token);
    expect(status).toBe(200);
    expect(body).toMatchObject([{ id: kept.id }]);
    expect((await look(gone.email, gone.token)).status).toBe(404);
    const again = await revoke(orgId, gone.id, token);
    expect(again).toMatchObject({ status: 404, body: { message: 'Invitation was not found' } });
    expect((await revoke(orgId, 'x', token)).status).toBe(400);
    expect((await test.client.delete(`/orgs/${orgId}/invites`, { token })).status).toBe(400);
  });

  it('become invalid when the organization is deleted', async () => {
    const { orgId, token } = await makeAdmin();
    const made = await makeInvite(test, orgId, token);
    await test.client.delete(`/orgs/${orgId}`, { token });
    expect((await look(made.email, made.token)).status).toBe(404);
    const accept = { email: made.email, token: made.token, accept: true };
    expect((await test.client.post('/invites', accept)).status).toBe(404);
  });

  it('become invalid when the user becomes a member by other means', async () => {
    const { orgId, token } = await makeAdmin();
    const guest = await makeUser(test);
    const made = await makeInvite(test, orgId, token, { email: guest.email });
    await setOrg(orgId, { limits: { member: 2 } });
    const members = test.app.get(OrgMembersService, { strict: false });
    await test.app
      .get(Database)
      .transaction((transaction) => members.add(transaction, orgId, { userId: guest.id, role: 'view' }));
    expect((await list(orgId, token)).body).toEqual([]);
    expect((await look(made.email, made.token)).status).toBe(404);
  });

  it.each([
    ['none', 404],
    ['view', 403],
    ['collaborate', 403],
    ['edit', 403],
    ['admin', 200],
  ] as const)('with the role %s return %i', async (role, status) => {
    const { orgId, token } = await makeAdmin();
    const { id } = await makeInvite(test, orgId, token);
    const member = await makeMember(test, orgId, role);
    expect((await list(orgId, member.token)).status).toBe(status);
    expect((await invite(orgId, { email: address(), role: 'view' }, member.token)).status).toBe(status);
    expect((await revoke(orgId, id, member.token)).status).toBe(status);
    expect(await test.dataSource.manager.countBy(OrgInvite, { orgId })).toBe(1);
  });

  it('return 404 to callers outside the organization', async () => {
    const { orgId, token } = await makeAdmin();
    const { id } = await makeInvite(test, orgId, token);
    const stranger = await makeUser(test);
    for (const asked of [orgId, newId()]) {
      for (const answer of [
        await list(asked, stranger.token),
        await invite(asked, { email: address(), role: 'view' }, stranger.token),
        await revoke(asked, id, stranger.token),
      ])
        expect(answer).toMatchObject({ status: 404, body: { message: 'Organization was not found' } });
    }
    expect((await test.client.get(`/orgs/${orgId}/invites`)).status).toBe(401);
  });

  it.each<[string, number, number]>([
    ['org.*', 200, 200],
    ['only.Organization', 200, 200],
    ['all.Organization.bounded', 200, 403],
    ['all.User.read', 200, 403],
    ['org.pendingInvites', 200, 403],
    ['orgs.*', 403, 403],
  ])('with the scope %s return %i when read and %i when sent', async (scope, read, sent) => {
    const { orgId, id } = await makeAdmin();
    const token = tokenOf(test, id, [scope]);
    expect((await list(orgId, token)).status).toBe(read);
    expect((await invite(orgId, { email: address(), role: 'view' }, token)).status).toBe(sent);
  });

  it('are recorded in the audit log without their tokens', async () => {
    const { orgId, token, id } = await makeAdmin();
    const made = await makeInvite(test, orgId, token, { role: 'view' });
    await revoke(orgId, made.id, token);
    const declined = await makeInvite(test, orgId, token);
    await test.client.post('/invites', { email: declined.email, token: declined.token, accept: false });
    const guest = await makeUser(test);
    const accepted = await makeInvite(test, orgId, token, { email: guest.email });
    await test.client.post('/invites', { email: guest.email, token: accepted.token, accept: true });
    const entries = await test.dataSource.manager.find(AuditLog, {
      where: { orgId, primaryTargetType: 'OrgInvite' },
      order: { creationDate: 'ASC' },
    });
    const about = (invited: { id: string; email: string }, requestAction: string, actorId: string) =>
      expect.objectContaining({
        primaryTargetId: invited.id,
        primaryTargetName: invited.email,
        requestAction,
        actorId,
      });
    expect(entries).toEqual([
      about(made, 'inviteMember', id),
      about(made, 'revokeInvite', id),
      about(declined, 'inviteMember', id),
      // A person without an account is identified by the invitation.
      about(declined, 'post', declined.id),
      about(accepted, 'inviteMember', id),
      about(accepted, 'post', guest.id),
    ]);
    expect(entries.at(-1)).toMatchObject({ actorName: guest.email, requestBody: { token: '[redacted]' } });
    for (const { token: secret } of [made, declined, accepted])
      expect(JSON.stringify(entries)).not.toContain(secret);
    expect(await test.dataSource.manager.countBy(OrgMember, { orgId })).toBe(2);
  });
});
