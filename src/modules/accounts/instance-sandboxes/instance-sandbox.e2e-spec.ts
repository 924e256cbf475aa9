import {
  makeApplication,
  makeInstanceMember,
  makeMember,
  makeOrg,
  makeUser,
  tokenOf,
  uniqueName,
} from '../../../../test/make/make.js';
import { BEHIND_PROXY, makeApiToken, signIn } from '../../../../test/make/sign-in.js';
import { sandboxesIn } from '../../../../test/make/sandboxes.js';
import { suite } from '../../../../test/setup/suite.js';
import { usualCounts } from '../../../../test/make/summaries.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { newId } from '../../../platform/repositories/resource.js';
import { InstanceMember } from '../instance-members/instance-member.resource.js';
import { Instance } from '../instances/instance.resource.js';
import { OrgMember } from '../orgs/org.resource.js';
import { User } from '../users/user.entity.js';

const MISSING = { type: 'NotFound', message: 'Sandbox was not found' };

const { test, other } = suite(BEHIND_PROXY);
const { admin, get, remove, undelete, statusesOf, rowOf, jobsOf, purge } = sandboxesIn(test, other);
let instanceId: string;
beforeAll(() => {
  ({ instanceId } = admin);
});
const backdate = (id: string, ms: number) =>
  test.dataSource.manager.update(User, { id }, { dataDeletion: new Date(Date.now() - ms) });

describe('A sandbox', () => {
  it('represents a user of the instance', async () => {
    const user = await makeUser(test, { firstName: 'Ada' });
    await makeApplication(test, user.token);
    const { status, body } = await get(user.id.toUpperCase());
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: user.id,
      instanceSandboxId: user.id,
      instanceId,
      email: user.email,
      fullName: 'Ada',
      failedLoginCount: 0,
      orgs: [],
      summary: usualCounts(test.document, 'SandboxSummary', { appCount: 1 }),
    });
    const query = '?summaryInclude=appCount,apiTokenCount&summaryExclude=appCount';
    expect((await get(user.id, admin.token, query)).body.summary).toEqual({ apiTokenCount: 0 });
    expect((await get(user.id, admin.token, '?summaryInclude=x')).status).toBe(400);
    expect((await undelete(user.id, admin.token, '?summaryInclude=x')).status).toBe(400);
  });

  it('records successful and failed sign-ins', async () => {
    const { id, email, password } = await makeUser(test);
    expect((await signIn(test, { email, password })).status).toBe(200);
    const before = (await get(id)).body;
    expect(before).toMatchObject({ failedLoginCount: 0, lastSuccessfulLogin: expect.any(String) });
    expect(before).not.toHaveProperty('lastFailedLogin');
    for (const count of [1, 2]) {
      const wrong = await signIn(test, { email: email.toUpperCase(), password: 'Wrong-Horse-7' });
      expect(wrong.status).toBe(401);
      await waitUntil(async () => (await get(id)).body.failedLoginCount === count);
    }
    expect((await get(id)).body).toMatchObject({
      lastSuccessfulLogin: before.lastSuccessfulLogin,
      lastFailedLogin: expect.any(String),
    });
    expect((await signIn(test, { email, password })).status).toBe(200);
    const after = (await get(id)).body;
    expect(after.failedLoginCount).toBe(0);
    expect(Date.parse(after.lastSuccessfulLogin)).toBeGreaterThan(Date.parse(after.lastFailedLogin));
  });

  it.each([
    ['view', 200, 403, 403],
    ['admin', 200, 200, 200],
  ] as const)(
    'for members with the role %s returns %i when read, %i when deleted and %i when restored',
    async (role, read, deleted, back) => {
      const { token } = await makeInstanceMember(test, role);
      const { id } = await makeUser(test);
      expect((await get(id, token)).status).toBe(read);
      expect((await remove(id, token)).status).toBe(deleted);
      expect((await undelete(id, token)).status).toBe(back);
    },
  );

  it('returns 404 to callers outside the instance', async () => {
    const { id, token } = await makeUser(test);
    for (const call of [get, remove, undelete]) {
      expect((await call(id, token)).body).toEqual({
        type: 'NotFound',
        message: 'Instance was not found',
      });
      expect((await call(newId())).body).toEqual(MISSING);
      expect((await call('x')).status).toBe(400);
      expect((await call(id, 'garbage')).status).toBe(401);
    }
    const now = new Date();
    const foreign = { id: newId(), name: 'other', allowAuditLogging: true, creationDate: now };
    await test.dataSource.manager.insert(Instance, { ...foreign, lastUpdated: now });
    const stranger = await makeUser(test, { instanceId: foreign.id });
    for (const call of [get, remove, undelete]) expect((await call(stranger.id)).body).toEqual(MISSING);
    expect((await rowOf(stranger.id))!.permanentDeletion).toBeNull();
  });

  it('requires separate scopes', async () => {
    const { id } = await makeUser(test);
    for (const [scope, read, written] of [
      ['all.Instance.read', 200, 403],
      ['all.Instance.bounded', 200, 200],
      ['all.User.bounded', 200, 200],
      ['instanceSandbox.*', 200, 200],
      ['instanceSandbox.get', 200, 403],
      ['instanceSandboxes.*', 403, 403],
      ['all.Organization', 403, 403],
    ] as const) {
      const token = tokenOf(test, admin.id, [scope]);
      const statuses = [
        (await get(id, token)).status,
        (await remove(id, token)).status,
        (await undelete(id, token)).status,
      ];
      expect({ scope, statuses }).toEqual({ scope, statuses: [read, written, written] });
    }
  });
});

describe('A deleted sandbox', () => {
  describe('when restored', () => {
    it('has all its previous data', async () => {
      const user = await makeUser(test);
      const org = await makeOrg(test, (await makeUser(test)).token);
      await test.dataSource.manager.insert(OrgMember, {
        orgId: org.id,
        userId: user.id,
        role: 'edit',
        creationDate: new Date(),
      });
      const application = await makeApplication(test, user.token);
      const shared = await makeApplication(test, user.token, { orgId: org.id });
      await remove(user.id);
      const { status, body } = await undelete(user.id.toUpperCase(), admin.token, '?summaryInclude=appCount');
      expect(status).toBe(200);
      expect(body).toMatchObject({ id: user.id, orgs: [{ id: org.id }], summary: { appCount: 1 } });
      expect(body).not.toHaveProperty('permanentDeletion');
      expect(body).not.toHaveProperty('dataDeletion');
      for (const { id } of [application, shared])
        expect(await statusesOf(`/applications/${id}`, user.token)).toEqual([200, 200]);
      const { email, password } = user;
      expect((await signIn(test, { email, password })).status).toBe(200);
      const [job] = await jobsOf(user.id);
      expect(job).toMatchObject({ status: 'queued' });
      await purge(user.id);
      expect(await rowOf(user.id)).not.toBeNull();
    });

    it('must have been deleted', async () => {
      const { id } = await makeUser(test);
      const { status, body } = await undelete(id);
      expect({ status, body }).toEqual({
        status: 400,
        body: { type: 'Validation', message: 'instanceSandboxId is not deleted' },
      });
    });

    it('must be within the retention period', async () => {
      const { id } = await makeUser(test);
      await remove(id);
      await backdate(id, 1000);
      const { status, body } = await undelete(id);
      expect(status).toBe(400);
      expect(body.message).toMatch(/^instanceSandboxId was deleted too long ago/);
    });

    it.each(['email', 'codehostId'] as const)(
      'must not have lost its %s to another user',
      async (property) => {
        const user = await makeUser(test, { codehostId: uniqueName() });
        const before = (await rowOf(user.id))!;
        await remove(user.id);
        const next = await makeUser(test, { [property]: before[property] });
        const { status, body } = await undelete(user.id);
        expect(status).toBe(400);
        expect(body.message).toMatch(/^instanceSandboxId cannot be restored: another user/);
        expect((await rowOf(user.id))!.permanentDeletion).not.toBeNull();
        await remove(next.id);
        expect((await undelete(user.id)).status).toBe(200);
      },
    );

    it('has another 30 days when deleted again', async () => {
      const { id } = await makeUser(test);
      await remove(id);
      await undelete(id);
      await remove(id);
      expect(await jobsOf(id)).toHaveLength(2);
      await purge(id);
      expect((await undelete(id)).status).toBe(200);
    });
  });

  describe('after the retention period', () => {
    it('is removed by the job with everything that belongs to it', async () => {
      const owner = await makeUser(test);
      const org = await makeOrg(test, owner.token);
      const user = await makeMember(test, org.id, 'edit');
      const [application, shared] = [
        await makeApplication(test, user.token),
        await makeApplication(test, user.token, { orgId: org.id }),
      ];
      await makeApiToken(test, user.token);
      await test.client.post(
        `/applications/${application.id}/tokens`,
        { name: 'own', scope: ['all.Application'] },
        { token: user.token },
      );
      await test.client.post(
        '/me/recentItems',
        { itemType: 'application', itemId: application.id },
        { token: user.token },
      );
      await test.dataSource.manager.insert(InstanceMember, { instanceId, userId: user.id, role: 'view' });
      const left = async () => {
        const counts: Record<string, number> = {};
        for (const [table, column, ids] of [
          ['users', 'id', [user.id]],
          ['applications', 'owner_id', [user.id]],
          ['api_tokens', 'owner_id', [user.id, application.id]],
          ['org_members', 'user_id', [user.id]],
          ['instance_members', 'user_id', [user.id]],
          ['recent_items', 'user_id', [user.id]],
        ] as const) {
          const rows = await test.dataSource.query(`SELECT FROM ${table} WHERE ${column} = ANY($1)`, [ids]);
          counts[table] = rows.length;
        }
        return counts;
      };
      await remove(user.id);
      expect(await left()).toEqual({
        users: 1,
        applications: 1,
        api_tokens: 2,
        org_members: 1,
        instance_members: 1,
        recent_items: 1,
      });
      await backdate(user.id, 1);
      await test.dataSource.query(
        `UPDATE jobs SET due_at = now() - interval '1 ms' WHERE name = 'user.purge' AND payload->>'userId' = $1`,
        [user.id],
      );
      await waitUntil(async () => (await rowOf(user.id)) === null);
      expect(new Set(Object.values(await left()))).toEqual(new Set([0]));
      expect((await get(user.id)).body).toEqual(MISSING);
      expect(await statusesOf('/me', user.token)).toEqual([401, 401]);
      expect((await test.client.get(`/applications/${shared.id}`, { token: owner.token })).status).toBe(200);
      await purge(user.id);
    });
  });
});
