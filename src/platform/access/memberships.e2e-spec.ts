import {
  makeApplication,
  makeInstanceMember,
  makeMember,
  makeOrg,
  makeUser,
  type TestUser,
} from '../../../test/make/make.js';
import { suite } from '../../../test/setup/suite.js';
import { newId } from '../repositories/resource.js';
import { AccessCache } from './access-cache.js';
import { MAX_CACHED_MEMBERSHIPS } from './memberships.js';

/** In `other`, a second process, entries are cached that `test` changes. */
const { test, other } = suite();

const remembered = (user: TestUser, orgId: string) => other.app.get(AccessCache).membership(user.id, orgId);

/** Creates an organization with an application and a member whose membership the other process has just cached. */
async function seen() {
  const admin = await makeUser(test);
  const org = await makeOrg(test, admin.token);
  const application = await makeApplication(test, admin.token, { orgId: org.id });
  const member = await makeMember(test, org.id, 'collaborate');
  const readme = `/applications/${application.id}/readme`;
  /** Returns the statuses of reading and of writing below the application, and of reading the organization. */
  const statuses = async () => {
    const { token } = member;
    const body = { content: 'Hello' };
    return [
      (await other.client.get(readme, { token })).status,
      (await other.client.patch(readme, body, { token })).status,
      (await other.client.get(`/orgs/${org.id}`, { token })).status,
    ];
  };
  expect(await statuses()).toEqual([200, 200, 200]);
  expect(remembered(member, org.id)).toMatchObject({ role: 'collaborate' });
  return { admin, org, application, member, statuses };
}

describe('A cached membership', () => {
  it('reflects a changed role', async () => {
    const { admin, org, member, statuses } = await seen();
    const path = `/orgs/${org.id}/member`;
    const change = (role: string) =>
      test.client.patch(path, { userId: member.id, role }, { token: admin.token });
    expect((await change('view')).status).toBe(200);
    expect(remembered(member, org.id)).toBeUndefined();
    expect(await statuses()).toEqual([200, 403, 200]);
    expect((await change('none')).status).toBe(200);
    expect(await statuses()).toEqual([404, 404, 404]);
  });

  it('reflects a new role on a single application', async () => {
    const { admin, org, application, member, statuses } = await seen();
    const applicationRoles = [{ resourceId: application.id, role: 'none' }];
    const body = { userId: member.id, applicationRoles };
    await test.client.patch(`/orgs/${org.id}/member`, body, { token: admin.token });
    expect(await statuses()).toEqual([404, 404, 200]);
  });

  it('disappears when the member is removed, and returns immediately when the member is added again', async () => {
    const { org, member, statuses } = await seen();
    const { token, instanceId } = await makeInstanceMember(test, 'admin');
    const path = `/instances/${instanceId}/orgs/${org.id}/members`;
    expect((await test.client.delete(`${path}/${member.id}`, { token })).status).toBe(200);
    expect(await statuses()).toEqual([404, 404, 404]);
    const body = { userId: member.id, role: 'collaborate' };
    expect((await test.client.post(path, body, { token })).status).toBe(200);
    expect(await statuses()).toEqual([200, 200, 200]);
  });

  it('grants only read access while the organization is read-only', async () => {
    const { org, statuses, member } = await seen();
    const { token, instanceId } = await makeInstanceMember(test, 'admin');
    const freeze = (isReadOnly: boolean) =>
      test.client.patch(`/instances/${instanceId}/orgs/${org.id}`, { isReadOnly }, { token });
    expect((await freeze(true)).status).toBe(200);
    expect(remembered(member, org.id)).toBeUndefined();
    expect(await statuses()).toEqual([200, 403, 200]);
    expect((await freeze(false)).status).toBe(200);
    expect(await statuses()).toEqual([200, 200, 200]);
  });

  it('grants nothing after the organization requires a second factor, or is deleted', async () => {
    const { admin, org, statuses, member } = await seen();
    await test.dataSource.query('UPDATE users SET two_factor_key = $1 WHERE id = $2', ['key', admin.id]);
    const { token } = admin;
    expect((await test.client.patch(`/orgs/${org.id}`, { mfaMode: 'required' }, { token })).status).toBe(200);
    expect(remembered(member, org.id)).toBeUndefined();
    expect(await statuses()).toEqual([403, 403, 403]);
    expect((await test.client.delete(`/orgs/${org.id}`, { token })).status).toBe(200);
    expect(await statuses()).toEqual([404, 404, 404]);
  });

  it('does not apply to another user, or to another organization', async () => {
    const { org, member } = await seen();
    const cache = other.app.get(AccessCache);
    const elsewhere = await makeOrg(test, (await makeUser(test)).token);
    expect(cache.membership(newId(), org.id)).toBeUndefined();
    expect(remembered(member, elsewhere.id)).toBeUndefined();
    expect((await other.client.get(`/orgs/${elsewhere.id}`, { token: member.token })).status).toBe(404);
  });
});

describe('The cached list of all memberships of a user', () => {
  /** Makes the other process cache the memberships, as it does for a list of visible resources. */
  async function known(user: TestUser) {
    expect((await other.client.get('/applications', { token: user.token })).status).toBe(200);
    return other.app.get(AccessCache).memberships(user.id);
  }
  const listed = async ({ token }: TestUser) => {
    const { body } = await other.client.get('/applications', { token });
    return body.items.map(({ id }: { id: string }) => id) as string[];
  };

  it('covers each organization, including those of which the user is not a member', async () => {
    const user = await makeUser(test);
    const org = await makeOrg(test, user.token);
    expect(await known(user)).toMatchObject([{ orgId: org.id, role: 'admin' }]);
    expect(remembered(user, org.id)).toMatchObject({ role: 'admin' });
    expect(remembered(user, newId())).toBeNull();
  });

  it('is evicted when one of the memberships changes', async () => {
    const admin = await makeUser(test);
    const [first, second] = [await makeOrg(test, admin.token), await makeOrg(test, admin.token)];
    const application = await makeApplication(test, admin.token, { orgId: first.id });
    const member = await makeMember(test, first.id, 'view');
    expect(await known(member)).toHaveLength(1);
    expect(await listed(member)).toEqual([application.id]);
    const { token, instanceId } = await makeInstanceMember(test, 'admin');
    const body = { userId: member.id, role: 'view' };
    await test.client.post(`/instances/${instanceId}/orgs/${second.id}/members`, body, { token });
    expect(other.app.get(AccessCache).memberships(member.id)).toBeUndefined();
    expect((await other.client.get(`/orgs/${second.id}`, { token: member.token })).status).toBe(200);
    expect(await known(member)).toHaveLength(2);
    expect((await test.client.delete(`/orgs/${first.id}`, { token: admin.token })).status).toBe(200);
    expect(other.app.get(AccessCache).memberships(member.id)).toBeUndefined();
    expect(await listed(member)).toEqual([]);
  });

  it('is not cached if there are too many memberships, in which case the database is queried', async () => {
    const admin = await makeUser(test);
    const org = await makeOrg(test, admin.token);
    const application = await makeApplication(test, admin.token, { orgId: org.id });
    const member = await makeMember(test, org.id, 'view');
    const fill = (count: number) =>
      test.dataSource.query(
        `WITH made AS (INSERT INTO orgs (id, instance_id, name, creation_date, last_updated, is_read_only)
           SELECT substr(md5(random()::text || n), 1, 24), o.instance_id, 'org', now(), now(), false
           FROM orgs o, generate_series(1, $2::int) n WHERE o.id = $1 RETURNING id)
         INSERT INTO org_members (org_id, user_id, role, creation_date) SELECT id, $3, 'view', now() FROM made`,
        [org.id, count, member.id],
      );
    await fill(MAX_CACHED_MEMBERSHIPS - 1);
    expect(await known(member)).toHaveLength(MAX_CACHED_MEMBERSHIPS);
    expect(await listed(member)).toEqual([application.id]);
    await fill(1);
    await test.app.get(AccessCache).evict(member.id);
    expect(await known(member)).toBe('many');
    expect(await listed(member)).toEqual([application.id]);
    const { token } = admin;
    const none = { userId: member.id, role: 'none' };
    await test.client.patch(`/orgs/${org.id}/member`, none, { token });
    expect(await listed(member)).toEqual([]);
    const body = { userId: member.id, applicationRoles: [{ resourceId: application.id, role: 'view' }] };
    await test.client.patch(`/orgs/${org.id}/member`, body, { token });
    expect(await listed(member)).toEqual([application.id]);
  });
});
