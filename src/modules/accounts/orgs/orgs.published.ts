import { mailedToken } from '../../../../test/make/invites.js';
import { makeInstance, makeInstanceMember, makeUser, uniqueName } from '../../../../test/make/make.js';
import type { Published } from '../../../../test/contract/published.js';

/** Tests organizations, their members, invitations and audit logs, and instances. */
export function drive(published: Published): void {
  it('manages organizations and their members', async () => {
    const { user, api } = await published.signedIn();
    const guest = await published.signedIn();
    const made = await api.orgs!.post!({ organization: { name: uniqueName('North') } });
    const own = { orgId: made.id };
    expect(await api.orgs!.get!({ filter: 'north*' })).toMatchObject({ items: [{ id: made.id }] });
    const organization = { description: 'The team' };
    expect(await api.org!.patch!({ ...own, organization })).toMatchObject(organization);
    const { email } = guest.user;
    for (const accept of [false, true]) {
      expect(await api.org!.inviteMember!({ ...own, invite: { email, role: 'edit' } })).toMatchObject([
        { email },
      ]);
      const token = await mailedToken(published.test, email);
      const { orgInvites } = published.client();
      expect(await orgInvites!.get!({ email, token })).toMatchObject({ orgName: made.name, role: 'edit' });
      const answered = await orgInvites!.post!({ invite: { email, token, accept } });
      expect(answered).toMatchObject({ accepted: accept });
    }
    await api.org!.inviteMember!({ ...own, invite: { email: `${uniqueName()}@example.com`, role: 'view' } });
    const [{ id: inviteId }] = await api.org!.pendingInvites!(own);
    expect(await api.org!.revokeInvite!({ ...own, inviteId })).toEqual([]);
    const member = { userId: guest.user.id, role: 'view' };
    await api.org!.modifyMember!({ ...own, member });
    expect((await api.org!.get!(own)).members).toContainEqual(expect.objectContaining(member));
    const { members } = await api.org!.removeMember!({ ...own, userId: guest.user.id });
    expect(members).toMatchObject([{ userId: user.id, role: 'admin' }]);
    expect(await api.org!.delete!(own)).toEqual({ success: true });
    await expect(api.org!.get!(own)).rejects.toMatchObject({ statusCode: 404 });
  });

  it('transfers applications', async () => {
    const { user, api } = await published.signedIn();
    const { id: orgId } = await api.orgs!.post!({ organization: { name: uniqueName() } });
    const { id: applicationId } = await api.applications!.post!({ application: { name: uniqueName() } });
    const applicationIds = [applicationId];
    const there = { destinationId: orgId, destinationType: 'organization', applicationIds };
    await api.me!.transferResources!({ transfer: there });
    expect((await api.applications!.get!({ orgId })).items).toMatchObject([{ ownerId: orgId }]);
    const back = { destinationId: user.id, destinationType: 'user', applicationIds };
    await api.org!.transferResources!({ orgId, transfer: back });
    expect(await api.application!.get!({ applicationId })).toMatchObject({ ownerId: user.id });
  });

  it('reads audit logs filtered with bracket parameters', async () => {
    const { api } = await published.signedIn();
    const { id: orgId } = await api.orgs!.post!({ organization: { name: uniqueName() } });
    await api.org!.patch!({ orgId, organization: { description: 'The team' } });
    const asked = (auditLogFilter: object) => api.auditLogs!.get!({ orgId, auditLogFilter });
    const { items } = await asked({ request: [{ resource: 'org', action: 'patch' }], responseCode: [200] });
    expect(items).toMatchObject([{ requestResource: 'org', requestAction: 'patch', responseStatus: 200 }]);
    expect((await asked({ request: [{ resource: 'flow' }] })).count).toBe(0);
    expect((await asked({ responseCode: [404, 503] })).count).toBe(0);
    const { id: auditLogId } = items[0];
    expect(await api.auditLog!.get!({ orgId, auditLogId })).toMatchObject({ id: auditLogId });
    await expect(asked({ request: [{ colour: 'red' }] })).rejects.toMatchObject({ statusCode: 400 });
  });

  it('manages instances, their members and tokens', async () => {
    const { id: instanceId } = await makeInstance(published.test);
    const { token } = await makeInstanceMember(published.test, 'admin', { instanceId });
    const api = published.client(token);
    expect((await api.instances!.get!()).items).toMatchObject([{ id: instanceId }]);
    const { name } = await api.instance!.get!({ instanceId });
    const instance = { orgDefaultLimitConfig: { application: 25 } };
    expect(await api.instance!.patch!({ instanceId, instance })).toMatchObject(instance);
    const { id: userId, email } = await makeUser(published.test, { instanceId });
    const own = { instanceId, userId };
    await api.instanceMembers!.post!({ instanceId, member: { email, role: 'view' } });
    expect((await api.instanceMembers!.get!({ instanceId, filter: email })).items).toMatchObject([
      { userId },
    ]);
    expect(await api.instanceMember!.get!(own)).toMatchObject({ role: 'view' });
    expect(await api.instanceMember!.patch!({ ...own, member: { role: 'admin' } })).toMatchObject({
      role: 'admin',
    });
    expect(await api.instanceMember!.delete!(own)).toMatchObject({ success: true });

    const apiToken = { name: 'Usage', scope: ['all.Instance.read'] };
    const made = await api.instanceApiTokens!.post!({ instanceId, apiToken });
    expect(await published.client(made.token).instance!.get!({ instanceId })).toMatchObject({ name });
    const held = { instanceId, apiTokenId: made.id };
    expect((await api.instanceApiTokens!.get!({ instanceId, filter: 'usage' })).count).toBeGreaterThan(0);
    expect(await api.instanceApiToken!.get!(held)).toMatchObject({ name: 'Usage' });
    await api.instanceApiToken!.patch!({ ...held, apiToken: { status: 'inactive' } });
    expect(await api.instanceApiToken!.delete!(held)).toEqual({ success: true });
  });

  it("manages an instance's organizations and their members", async () => {
    const { id: instanceId } = await makeInstance(published.test);
    const { token } = await makeInstanceMember(published.test, 'admin', { instanceId });
    const api = published.client(token);
    const { id: orgId } = await api.instanceOrgs!.post!({
      instanceId,
      orgConfig: { name: uniqueName('South') },
    });
    const own = { instanceId, orgId };
    expect((await api.instanceOrgs!.get!({ instanceId, filter: 'south*' })).items).toContainEqual(
      expect.objectContaining({ id: orgId }),
    );
    const organization = { description: 'The other team' };
    expect(await api.instanceOrg!.patch!({ ...own, organization })).toMatchObject(organization);
    expect(await api.instanceOrg!.get!(own)).toMatchObject(organization);
    const { id: userId, email } = await makeUser(published.test, { instanceId });
    await api.instanceOrgMembers!.post!({ ...own, member: { email, role: 'edit' } });
    expect((await api.instanceOrgMembers!.get!(own)).items).toContainEqual(
      expect.objectContaining({ userId }),
    );
    const member = { role: 'view' };
    expect(await api.instanceOrgMember!.patch!({ ...own, userId, member })).toMatchObject({ role: 'view' });
    expect(await api.instanceOrgMember!.get!({ ...own, userId })).toMatchObject({ role: 'view' });
    expect(await api.instanceOrgMember!.delete!({ ...own, userId })).toEqual({ success: true });
    expect(await api.instanceOrg!.delete!(own)).toEqual({ success: true });
  });
}
