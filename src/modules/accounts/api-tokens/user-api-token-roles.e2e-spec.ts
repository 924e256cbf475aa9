import { apiTokenCalls, UNKNOWN } from '../../../../test/make/api-tokens.js';
import { makeApplication, makeMember, makeOrg, makeUser, uniqueName } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';

const { test, other } = suite();

const { create, get, patch, make: makeToken } = apiTokenCalls(() => test);

describe('Role caps', () => {
  const application = (token: string, id: string) => test.client.get(`/applications/${id}`, { token });
  const rename = (token: string, id: string) =>
    test.client.patch(`/applications/${id}`, { name: uniqueName() }, { token });
  const drop = (token: string, id: string) => test.client.delete(`/applications/${id}`, { token });
  const seen = async (token: string) =>
    (await test.client.get('/applications?perPage=1000', { token })).body.items.map(
      ({ id }: { id: string }) => id,
    );

  it.each([
    ['none', 404, 404, 404],
    ['view', 200, 403, 403],
    ['collaborate', 200, 200, 403],
    ['edit', 200, 200, 200],
    ['admin', 200, 200, 200],
  ])('with the default role %s: get %i, patch %i, delete %i', async (defaultRole, read, write, remove) => {
    const { token } = await makeUser(test);
    const org = await makeOrg(test, token);
    const capped = await makeToken(token, { defaultRole });
    for (const orgId of [undefined, org.id]) {
      const { id } = await makeApplication(test, token, { orgId });
      expect((await application(capped.token, id)).status).toBe(read);
      expect((await seen(capped.token)).includes(id)).toBe(read === 200);
      expect((await rename(capped.token, id)).status).toBe(write);
      expect((await drop(capped.token, id)).status).toBe(remove);
    }
    const organization = await test.client.get(`/orgs/${org.id}`, { token: capped.token });
    expect(organization.status).toBe(read);
    const renamed = await test.client.patch(
      `/orgs/${org.id}`,
      { name: uniqueName() },
      { token: capped.token },
    );
    expect(renamed.status).toBe(defaultRole === 'admin' ? 200 : read === 200 ? 403 : 404);
  });

  it('apply to creating applications', async () => {
    const { token } = await makeUser(test);
    const org = await makeOrg(test, token);
    const capped = await makeToken(token, { orgRoles: [{ orgId: org.id, role: 'collaborate' }] });
    const post = (orgId?: string) =>
      test.client.post('/applications', { name: uniqueName(), orgId }, { token: capped.token });
    expect((await post(org.id)).status).toBe(403);
    expect((await post()).status).toBe(201);
  });

  it('of one organization do not affect other organizations or the sandbox', async () => {
    const { token } = await makeUser(test);
    const [one, two] = [await makeOrg(test, token), await makeOrg(test, token)];
    const [first, second, own] = [
      await makeApplication(test, token, { orgId: one.id }),
      await makeApplication(test, token, { orgId: two.id }),
      await makeApplication(test, token),
    ];
    const capped = await makeToken(token, { orgRoles: [{ orgId: one.id, role: 'none' }] });
    expect((await seen(capped.token)).sort()).toEqual([second.id, own.id].sort());
    expect((await application(capped.token, first.id)).status).toBe(404);
    expect((await rename(capped.token, second.id)).status).toBe(200);
    const orgs = await test.client.get('/orgs', { token: capped.token });
    expect(orgs.body.items.map(({ id }: { id: string }) => id)).toEqual([two.id]);
  });

  it('of the sandbox are set under the ID `sandbox`', async () => {
    const { token } = await makeUser(test);
    const own = await makeApplication(test, token);
    const capped = await makeToken(token, {
      defaultRole: 'none',
      orgRoles: [{ orgId: 'sandbox', role: 'view' }],
    });
    expect((await application(capped.token, own.id)).status).toBe(200);
    expect((await rename(capped.token, own.id)).status).toBe(403);
    expect(await seen(capped.token)).toEqual([own.id]);
  });

  it('of individual applications take precedence over that of their owner', async () => {
    const { token } = await makeUser(test);
    const [open, shut] = [await makeApplication(test, token), await makeApplication(test, token)];
    const role = (applicationId: string, name: string) => ({ resourceId: applicationId, role: name });
    const up = await makeToken(token, {
      orgRoles: [{ orgId: 'sandbox', role: 'none', applicationRoles: [role(open.id, 'collaborate')] }],
    });
    expect(await seen(up.token)).toEqual([open.id]);
    expect((await rename(up.token, open.id)).status).toBe(200);
    expect((await drop(up.token, open.id)).status).toBe(403);
    expect((await rename(up.token, shut.id)).status).toBe(404);
    const down = await makeToken(token, {
      orgRoles: [
        { orgId: 'sandbox', role: 'admin', applicationRoles: [role(shut.id, 'none'), role(open.id, 'view')] },
      ],
    });
    expect(await seen(down.token)).toEqual([open.id]);
    expect((await rename(down.token, open.id)).status).toBe(403);
    expect((await application(down.token, shut.id)).status).toBe(404);
  });

  it('never grant access that the user does not have', async () => {
    const theirs = await makeUser(test);
    const org = await makeOrg(test, theirs.token);
    const [foreign, shared] = [
      await makeApplication(test, theirs.token),
      await makeApplication(test, theirs.token, { orgId: org.id }),
    ];
    const { token } = await makeMember(test, org.id, 'view');
    const applicationRoles = [foreign, shared].map(({ id }) => ({ resourceId: id, role: 'collaborate' }));
    const greedy = await makeToken(token, {
      defaultRole: 'admin',
      orgRoles: ['sandbox', org.id, theirs.id].map((orgId) => ({ orgId, role: 'admin', applicationRoles })),
    });
    expect(await seen(greedy.token)).toEqual([shared.id]);
    expect((await application(greedy.token, foreign.id)).status).toBe(404);
    expect((await rename(greedy.token, foreign.id)).status).toBe(404);
    expect((await rename(greedy.token, shared.id)).status).toBe(403);
    const byOwner = await test.client.get(`/applications?orgId=${theirs.id}`, { token: greedy.token });
    expect(byOwner.body).toMatchObject({ items: [], totalCount: 0 });
    expect((await application(theirs.token, foreign.id)).body.name).toBe(foreign.name);
  });

  it('apply to IDs in upper case too', async () => {
    const { token } = await makeUser(test);
    const org = await makeOrg(test, token);
    const { id } = await makeApplication(test, token, { orgId: org.id });
    const orgRoles = [{ orgId: org.id.toUpperCase(), role: 'view' }];
    const made = await makeToken(token, { orgRoles });
    const changed = await makeToken(token);
    await patch(token, changed.id, { orgRoles });
    for (const capped of [made, changed]) expect((await rename(capped.token, id)).status).toBe(403);
    const applicationRoles = [{ resourceId: id.toUpperCase(), role: 'none' }];
    await patch(token, made.id, { orgRoles: [{ orgId: org.id, role: 'admin', applicationRoles }] });
    expect((await application(made.token, id)).status).toBe(404);
  });

  it('take effect immediately in every process when they are changed', async () => {
    const { token } = await makeUser(test);
    const { id } = await makeApplication(test, token);
    const made = await makeToken(token);
    const statuses = async () =>
      (
        await Promise.all(
          [test, other].map((app) => app.client.get(`/applications/${id}`, { token: made.token })),
        )
      ).map(({ status }) => status);
    expect(await statuses()).toEqual([200, 200]);
    expect((await patch(token, made.id, { defaultRole: 'none' })).body.defaultRole).toBe('none');
    expect(await statuses()).toEqual([404, 404]);
    await patch(token, made.id, { orgRoles: [{ orgId: 'sandbox', role: 'view' }] });
    expect(await statuses()).toEqual([200, 200]);
  });

  it('are inherited by tokens that a capped token creates', async () => {
    const { token } = await makeUser(test);
    const { id } = await makeApplication(test, token);
    const caps = { defaultRole: 'view', orgRoles: [{ orgId: UNKNOWN, role: 'none' }] };
    const capped = await makeToken(token, caps);
    const child = await makeToken((await makeToken(capped.token)).token);
    expect(child).toMatchObject(caps);
    expect((await application(child.token, id)).status).toBe(200);
    expect((await rename(child.token, id)).status).toBe(403);
  });

  it.each<[string, object]>([
    ['defaultRole', { defaultRole: 'none' }],
    ['defaultRole', { defaultRole: 'admin' }],
    ['orgRoles', { orgRoles: [] }],
    ['orgRoles', { orgRoles: [{ orgId: 'sandbox', role: 'admin' }] }],
  ])('cannot be granted by a capped token (%s)', async (_, roles) => {
    const { token } = await makeUser(test);
    const capped = await makeToken(token, { defaultRole: 'view' });
    const free = await makeToken(token);
    expect((await create(capped.token, roles)).status).toBe(403);
    expect((await patch(capped.token, capped.id, roles)).status).toBe(403);
    expect((await patch(capped.token, free.id, roles)).status).toBe(403);
    expect((await get(token, capped.id)).body).toMatchObject({ defaultRole: 'view' });
  });
});
