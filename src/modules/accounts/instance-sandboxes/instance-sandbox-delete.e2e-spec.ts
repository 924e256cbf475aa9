import {
  makeApplication,
  makeInstanceMember,
  makeMember,
  makeOrg,
  makeUser,
  uniqueName,
} from '../../../../test/make/make.js';
import { BEHIND_PROXY, makeApiToken, signIn } from '../../../../test/make/sign-in.js';
import { sandboxesIn } from '../../../../test/make/sandboxes.js';
import { suite } from '../../../../test/setup/suite.js';
import { JobRows } from '../../../platform/jobs/job-rows.js';
import { newId } from '../../../platform/repositories/resource.js';
import { InstanceMember } from '../instance-members/instance-member.resource.js';
import { Instance } from '../instances/instance.resource.js';

const DAY_MS = 24 * 3600_000;
const MISSING = { type: 'NotFound', message: 'Sandbox was not found' };

const { test, other } = suite(BEHIND_PROXY);
const { admin, get, remove, undelete, statusesOf, rowOf, jobsOf, purge } = sandboxesIn(test, other);
let instanceId: string;
beforeAll(() => {
  ({ instanceId } = admin);
});

describe('A deleted sandbox', () => {
  it('immediately blocks the user, their tokens and those of their applications in every process', async () => {
    const user = await makeUser(test);
    const application = await makeApplication(test, user.token);
    const apiToken = (await makeApiToken(test, user.token)).token;
    const own = await test.client.post(
      `/applications/${application.id}/tokens`,
      { name: 'own', scope: ['all.Application'] },
      { token: user.token },
    );
    expect(own.status).toBe(201);
    const url = `/applications/${application.id}`;
    for (const token of [user.token, apiToken, own.body.token])
      expect(await statusesOf(url, token)).toEqual([200, 200]);
    const { status, body } = await remove(user.id);
    expect({ status, body }).toEqual({ status: 200, body: { success: true } });
    for (const token of [user.token, apiToken, own.body.token])
      expect(await statusesOf(url, token)).toEqual([401, 401]);
    expect(await statusesOf('/me', user.token)).toEqual([401, 401]);
    const { email, password } = user;
    expect((await signIn(test, { email, password })).body).toEqual({
      type: 'Unauthorized',
      message: 'Email address or password is wrong',
    });
    expect((await remove(user.id)).body).toEqual(MISSING);
  });

  it('keeps its data for 30 days and shows when they end', async () => {
    const user = await makeUser(test);
    const { id } = await makeApplication(test, user.token);
    await remove(user.id);
    const { body } = await get(user.id);
    const deleted = Date.parse(body.permanentDeletion);
    expect(Date.parse(body.dataDeletion) - deleted).toBe(30 * DAY_MS);
    expect(body.summary.appCount).toBe(1);
    const jobs = await jobsOf(user.id);
    expect(jobs).toEqual([
      expect.objectContaining({
        status: 'queued',
        attempts: 0,
        requestedById: admin.id,
        dueAt: new Date(body.dataDeletion),
      }),
    ]);
    expect(await test.app.get(JobRows).claim(jobs[0]!.id)).toBeUndefined();
    await purge(user.id);
    expect(await rowOf(user.id)).not.toBeNull();
    expect(await test.dataSource.query('SELECT FROM applications WHERE id = $1', [id])).toHaveLength(1);
  });

  it('releases its email address and linked identity', async () => {
    const codehostId = uniqueName();
    const user = await makeUser(test, { codehostId });
    await remove(user.id);
    const next = await makeUser(test, { email: user.email, codehostId });
    const { body } = await signIn(test, { email: user.email, password: user.password });
    expect(body.userId).toBe(next.id);
  });

  it('is not counted as a member anywhere', async () => {
    const owner = await makeUser(test);
    const org = await makeOrg(test, owner.token);
    const user = await makeMember(test, org.id, 'edit');
    await test.dataSource.manager.insert(InstanceMember, { instanceId, userId: user.id, role: 'view' });
    const look = async () => {
      const { body } = await test.client.get(`/orgs/${org.id}`, { token: owner.token });
      const instance = await test.client.get(`/instances/${instanceId}`, { token: admin.token });
      const ids = (members: { userId: string }[]) => members.map(({ userId }) => userId);
      return {
        members: ids(body.members),
        memberCount: body.summary.memberCount,
        ofInstance: ids(instance.body.members).includes(user.id),
      };
    };
    expect(await look()).toMatchObject({ memberCount: 2, ofInstance: true });
    await remove(user.id);
    expect(await look()).toEqual({ members: [owner.id], memberCount: 1, ofInstance: false });
    await undelete(user.id);
    expect(await look()).toMatchObject({ memberCount: 2, ofInstance: true });
  });

  it('cannot be that of the caller', async () => {
    const self = await makeInstanceMember(test, 'admin');
    const apiToken = await makeApiToken(test, self.token);
    for (const token of [self.token, apiToken.token]) {
      const { status, body } = await remove(self.id.toUpperCase(), token);
      expect(status).toBe(400);
      expect(body.message).toMatch(/^instanceSandboxId is your own/);
    }
    expect((await rowOf(self.id))!.permanentDeletion).toBeNull();
  });

  it('cannot be that of the last admin of an organization', async () => {
    const user = await makeUser(test);
    const org = await makeOrg(test, user.token, { name: 'Last "one"' });
    await makeMember(test, org.id, 'edit');
    const second = await makeMember(test, org.id, 'admin');
    await remove(second.id);
    const refused = await remove(user.id);
    expect(refused.status).toBe(400);
    expect(refused.body.message).toBe(
      'instanceSandboxId is the last admin of the organization "Last \\"one\\""',
    );
    expect(await statusesOf('/me', user.token)).toEqual([200, 200]);
    await makeMember(test, org.id, 'admin');
    expect((await remove(user.id)).status).toBe(200);
  });

  it('can be that of the last admin of a deleted organization', async () => {
    const user = await makeUser(test);
    const org = await makeOrg(test, user.token);
    await test.client.delete(`/orgs/${org.id}`, { token: user.token });
    expect((await remove(user.id)).status).toBe(200);
  });

  it('cannot be that of the last admin of another instance', async () => {
    const user = await makeUser(test);
    const now = new Date();
    const foreign = { id: newId(), name: 'theirs', allowAuditLogging: true, creationDate: now };
    await test.dataSource.manager.insert(Instance, { ...foreign, lastUpdated: now });
    await test.dataSource.manager.insert(InstanceMember, {
      instanceId: foreign.id,
      userId: user.id,
      role: 'admin',
    });
    const { status, body } = await remove(user.id);
    expect(status).toBe(400);
    expect(body.message).toBe('instanceSandboxId is the last admin of the instance "theirs"');
  });

  it('leaves one admin when all are deleted concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const first = await makeUser(test);
      const org = await makeOrg(test, first.token);
      const [second, third] = [
        await makeMember(test, org.id, 'admin'),
        await makeMember(test, org.id, 'admin'),
      ];
      const answers = await Promise.all([first, second, third].map(({ id }) => remove(id)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 400]);
    }
  });

  it('leaves one admin when the other is concurrently demoted', async () => {
    for (let round = 0; round < 5; round++) {
      const first = await makeUser(test);
      const org = await makeOrg(test, first.token);
      const second = await makeMember(test, org.id, 'admin');
      const body = { userId: second.id, role: 'view' };
      const answers = await Promise.all([
        remove(first.id),
        test.client.patch(`/orgs/${org.id}/member`, body, { token: first.token }),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const [{ admins }] = await test.dataSource.query(
        `SELECT count(*)::int AS admins FROM org_members m JOIN users u ON u.id = m.user_id
         WHERE m.org_id = $1 AND m.role = 'admin' AND u.permanent_deletion IS NULL`,
        [org.id],
      );
      expect(admins).toBe(1);
    }
  });

  it('is deleted once by concurrent requests', async () => {
    const { id } = await makeUser(test);
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
    expect(await jobsOf(id)).toHaveLength(1);
  });

  it('is recorded in the audit log of the instance, as is its restoration', async () => {
    const { id, email } = await makeUser(test);
    await remove(id);
    await undelete(id);
    const entries = await test.dataSource.query(
      'SELECT * FROM instance_audit_logs WHERE primary_target_id = $1 ORDER BY creation_date, id',
      [id],
    );
    const common = {
      instance_id: instanceId,
      actor_id: admin.id,
      actor_type: 'User',
      request_resource: 'instanceSandbox',
      request_path_params: { instanceId, instanceSandboxId: id },
      primary_target_type: 'User',
      primary_target_name: email,
      response_body: { id },
      response_status: 200,
    };
    expect(entries).toEqual([
      expect.objectContaining({ ...common, request_action: 'delete' }),
      expect.objectContaining({ ...common, request_action: 'undelete' }),
    ]);
  });
});
