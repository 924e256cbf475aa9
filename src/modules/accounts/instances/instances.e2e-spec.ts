import type { TestApp } from '../../../../test/setup/app.js';
import {
  makeInstance,
  makeInstanceMember,
  makeUser,
  tokenOf,
  uniqueName,
} from '../../../../test/make/make.js';
import { makeTwoFactorUser } from '../../../../test/make/sign-in.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';
import { InstanceAuditLog } from '../audit-logs/audit-log.resource.js';
import { InstanceMember } from '../instance-members/instance-member.resource.js';
import { Instance } from './instance.resource.js';

const MISSING = { type: 'NotFound', message: 'Instance was not found' };
const LOCKED = { type: 'Forbidden', message: 'Instance requires two-factor authentication: enable it first' };

const { test, other } = suite();

const get = (id: string, token?: string, { client } = test) => client.get(`/instances/${id}`, { token });
const patch = (id: string, body: unknown, token: string) =>
  test.client.patch(`/instances/${id}`, body, { token });
const list = (token: string, query = '') => test.client.get(`/instances${query}`, { token });
const entriesOf = (instanceId: string) => test.dataSource.manager.findBy(InstanceAuditLog, { instanceId });

/** Creates a separate instance with an admin. */
async function made(more: Partial<Instance> = {}) {
  const { id } = await makeInstance(test, more);
  return { id, admin: await makeInstanceMember(test, 'admin', { instanceId: id }) };
}

/** Creates a user with two-factor authentication who administers the instance. */
async function makeSafeAdmin(instanceId: string) {
  const user = await makeTwoFactorUser(test);
  await test.dataSource.manager.insert(InstanceMember, { instanceId, userId: user.id, role: 'admin' });
  return user;
}

describe('Instances', () => {
  it('are listed for their members', async () => {
    const { id, admin } = await made();
    const { body } = await list(admin.token);
    expect(body).toEqual({
      items: [(await get(id, admin.token)).body],
      count: 1,
      totalCount: 1,
      page: 0,
      perPage: 100,
      sortField: 'name',
      sortDirection: 'asc',
    });
    const stranger = await makeUser(test);
    expect((await list(stranger.token)).body).toMatchObject({ items: [], count: 0, totalCount: 0 });
    expect((await test.client.get('/instances')).status).toBe(401);
  });

  it('can be sorted, filtered and paged', async () => {
    const { id: userId, token } = await makeUser(test);
    const mark = uniqueName();
    for (const name of ['b', 'a', 'c']) {
      const { id: instanceId } = await makeInstance(test, { name: `${mark} ${name}` });
      await test.dataSource.manager.insert(InstanceMember, { instanceId, userId, role: 'view' });
    }
    const names = async (query: string) =>
      (await list(token, query)).body.items.map(({ name }: Instance) => name.slice(-1));
    expect(await names('')).toEqual(['a', 'b', 'c']);
    expect(await names('?sortField=creationDate&sortDirection=desc')).toEqual(['c', 'a', 'b']);
    expect(await names('?perPage=2&page=1')).toEqual(['c']);
    expect(await names(`?filter=${mark.toUpperCase()}*B`)).toEqual(['b']);
    expect((await list(token, '?sortField=mfaMode')).status).toBe(400);
    expect((await list(token, '?filterField=id&filter=x')).status).toBe(400);
  });

  it.each([
    ['instances.get', 200],
    ['instances.*', 200],
    ['all.User.read', 200],
    ['all.User.bounded', 200],
    ['only.User.read', 200],
    ['all.Instance', 403],
    ['instance.get', 403],
    ['all.Organization', 403],
  ])('with the scope %s return %i', async (scope, status) => {
    const { id } = await makeUser(test);
    expect((await list(tokenOf(test, id, [scope]))).status).toBe(status);
  });
});

describe('An instance', () => {
  it('is returned with its settings and members', async () => {
    const { id, admin } = await made({ name: 'North' });
    const member = await makeInstanceMember(test, 'view', { instanceId: id });
    const gone = await makeInstanceMember(test, 'admin', {
      instanceId: id,
      permanentDeletion: new Date(),
    });
    const { status, body } = await get(id, member.token);
    expect(status).toBe(200);
    expect(body).toEqual({
      id,
      instanceId: id,
      name: 'North',
      allowAuditLogging: true,
      creationDate: expect.any(String),
      lastUpdated: expect.any(String),
      members: [
        { userId: admin.id, role: 'admin' },
        { userId: member.id, role: 'view' },
      ].sort((a, b) => (a.userId < b.userId ? -1 : 1)),
    });
    expect(JSON.stringify(body)).not.toContain(gone.id);
    const limits = { organization: 3, instanceApiToken: 0 };
    await test.dataSource.manager.update(Instance, { id }, { limits });
    expect((await get(id.toUpperCase(), member.token)).body).toEqual({ ...body, limits });
  });

  it('returns 404 to callers outside it', async () => {
    const { id } = await made();
    const { token } = await makeUser(test);
    for (const asked of [id, newId()]) {
      for (const answer of [await get(asked, token), await patch(asked, {}, token)])
        expect({ status: answer.status, body: answer.body }).toEqual({ status: 404, body: MISSING });
    }
    expect((await get('x', token)).status).toBe(400);
    expect((await get(id)).status).toBe(401);
  });

  it.each([
    ['instance.get', 200, 403],
    ['instance.patch', 403, 200],
    ['instance.*', 200, 200],
    ['all.Instance', 200, 200],
    ['all.Instance.read', 200, 403],
    ['all.Instance.bounded', 200, 200],
    ['all.User.read', 200, 403],
    ['all.User.bounded', 200, 200],
    ['only.User', 403, 403],
    ['all.Organization', 403, 403],
    ['instances.*', 403, 403],
  ])('with the scope %s returns %i when read and %i when changed', async (scope, read, changed) => {
    const { id, admin } = await made();
    const token = tokenOf(test, admin.id, [scope]);
    expect((await get(id, token)).status).toBe(read);
    expect((await patch(id, {}, token)).status).toBe(changed);
  });

  it('can be read and changed by its own tokens, but not by those of another instance', async () => {
    const { id, admin } = await made();
    const foreign = await made();
    const tokenFor = async (instanceId: string, token: string) =>
      (await test.client.post(`/instances/${instanceId}/tokens`, { name: uniqueName() }, { token })).body
        .token;
    const own = await tokenFor(id, admin.token);
    expect((await get(id, own)).status).toBe(200);
    expect((await patch(id, { mfaMode: 'required' }, own)).status).toBe(200);
    const strange = await tokenFor(foreign.id, foreign.admin.token);
    expect((await get(id, strange)).body).toEqual(MISSING);
    expect((await patch(id, {}, strange)).body).toEqual(MISSING);
  });
});

describe('Updating an instance', () => {
  it('requires the role admin', async () => {
    const { id, admin } = await made();
    const viewer = await makeInstanceMember(test, 'view', { instanceId: id });
    const before = (await get(id, viewer.token)).body;
    expect((await patch(id, { orgDefaultLimitConfig: {} }, viewer.token)).status).toBe(403);
    expect((await get(id, viewer.token)).body).toEqual(before);
    expect((await patch(id, { orgDefaultLimitConfig: {} }, admin.token)).status).toBe(200);
    expect(await entriesOf(id)).toHaveLength(1);
  });

  it.each<[object]>([
    [{ orgDefaultLimitConfig: { application: 0, dataTTL: 86_400, systemInterval: 3_600 } }],
    [{ mfaMode: 'notRequired' }],
    [{ reportConfigs: [] }],
    [{}],
  ])('with %j keeps the other properties', async (change) => {
    const { id, admin } = await made({ orgDefaultLimitConfig: { member: 1 }, mfaMode: 'notRequired' });
    const before = (await get(id, admin.token)).body;
    const { status, body } = await patch(id, change, admin.token);
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, ...change, lastUpdated: expect.any(String) });
    expect(body.lastUpdated > before.lastUpdated).toBe(true);
    expect((await get(id, admin.token)).body).toEqual(body);
  });

  it.each<[string, unknown]>([
    ['name', { name: 'x' }],
    ['allowAuditLogging', { allowAuditLogging: false }],
    ['limits', { limits: {} }],
    ['members', { members: [] }],
    ['mfaMode', { mfaMode: 'always' }],
    ['mfaMode', { mfaMode: null }],
    ['orgDefaultLimitConfig.organization', { orgDefaultLimitConfig: { organization: 1 } }],
    ['orgDefaultLimitConfig.application', { orgDefaultLimitConfig: { application: -1 } }],
    ['orgDefaultLimitConfig.dataTTL', { orgDefaultLimitConfig: { dataTTL: 86_399 } }],
    ['orgDefaultLimitConfig.systemInterval', { orgDefaultLimitConfig: { systemInterval: 4 } }],
    ['reportConfigs.0.cron', { reportConfigs: [{}] }],
    ['reportConfigs.0.cron', { reportConfigs: [{ cron: '0 24 * * *' }] }],
    ['reportConfigs.0.timezone', { reportConfigs: [{ cron: '0 6 * * *', timezone: 'Nowhere/Land' }] }],
    ['reportConfigs.0.emails.0', { reportConfigs: [{ cron: '0 6 * * *', emails: ['x'] }] }],
    ['reportConfigs.0.callbackUrl', { reportConfigs: [{ cron: '0 6 * * *', callbackUrl: 'x' }] }],
    ['reportConfigs.0.periods', { reportConfigs: [{ cron: '0 6 * * *', periods: 91 }] }],
    ['reportConfigs', { reportConfigs: Array.from({ length: 11 }, () => ({ cron: '0 6 * * *' })) }],
  ])('is rejected for %s in %j', async (property, change) => {
    const { id, admin } = await made();
    const before = (await get(id, admin.token)).body;
    const { status, body } = await patch(id, change, admin.token);
    expect(status).toBe(400);
    expect(body.message.startsWith(`instance.${property} `)).toBe(true);
    expect((await get(id, admin.token)).body).toEqual(before);
    expect(await entriesOf(id)).toEqual([]);
  });

  it('assigns missing report IDs, and replaces the reports as a whole', async () => {
    const { id, admin } = await made();
    const monthly = { id: 'monthly', cron: '0 6 1 * *', timezone: 'Europe/Oslo', emails: ['a@example.com'] };
    const daily = { cron: '0 6 * * MON-FRI', callbackUrl: 'https://example.com/usage' };
    const { body } = await patch(id, { reportConfigs: [monthly, daily] }, admin.token);
    expect(body.reportConfigs).toEqual([monthly, { ...daily, id: expect.stringMatching(/^[0-9a-f]{24}$/) }]);
    const kept = await patch(id, { reportConfigs: [body.reportConfigs[1]] }, admin.token);
    expect(kept.body.reportConfigs).toEqual([body.reportConfigs[1]]);
  });

  it('keeps concurrent changes to different properties', async () => {
    const { id, admin } = await made();
    const reportConfigs = [{ id: 'r', cron: '0 6 1 * *' }];
    const changes = [{ mfaMode: 'notRequired' }, { orgDefaultLimitConfig: { file: 3 } }, { reportConfigs }];
    await Promise.all(Array.from({ length: 12 }, (_, i) => patch(id, changes[i % 3], admin.token)));
    expect((await get(id, admin.token)).body).toMatchObject(Object.assign({}, ...changes));
  });

  it('is recorded in the audit log of the instance, without a target', async () => {
    const { id, admin } = await made();
    const body = { orgDefaultLimitConfig: { application: 5 } };
    await patch(id, body, admin.token);
    const [entry, ...more] = await entriesOf(id);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      actorId: admin.id,
      actorType: 'User',
      actorName: admin.email,
      requestResource: 'instance',
      requestAction: 'patch',
      requestBody: body,
      requestPathParams: { instanceId: id },
      responseStatus: 200,
      responseBody: { id },
      primaryTargetId: null,
      primaryTargetType: null,
      secondaryTargetId: null,
    });
  });

  it('is not recorded if the audit log of the instance is disabled', async () => {
    const { id, admin } = await made({ allowAuditLogging: false });
    expect((await patch(id, { mfaMode: 'notRequired' }, admin.token)).status).toBe(200);
    expect(await entriesOf(id)).toEqual([]);
  });
});

describe('Required two-factor authentication in an instance', () => {
  it.each(['adminRequired', 'required'])(
    '(%s) cannot be set by an admin without two-factor authentication',
    async (mfaMode) => {
      const { id, admin } = await made();
      expect(await patch(id, { mfaMode }, admin.token)).toMatchObject({
        status: 400,
        body: {
          message: 'instance.mfaMode requires two-factor authentication: enable it for yourself first',
        },
      });
      expect((await get(id, admin.token)).body.mfaMode).toBeUndefined();
      const linked = await makeInstanceMember(test, 'admin', { instanceId: id, ssoLinked: true });
      expect((await patch(id, { mfaMode }, linked.token)).body.mfaMode).toBe(mfaMode);
    },
  );

  it.each([
    ['adminRequired', 403, 200],
    ['required', 403, 403],
  ])(
    '(%s) returns %i to an admin and %i to a viewer without it, immediately in every process',
    async (mfaMode, ...then) => {
      const { id, admin } = await made();
      const viewer = await makeInstanceMember(test, 'view', { instanceId: id });
      const safe = await makeSafeAdmin(id);
      const statuses = async (app: TestApp) =>
        Promise.all([admin, viewer].map(async ({ token }) => (await get(id, token, app)).status));
      for (const app of [test, other]) expect(await statuses(app)).toEqual([200, 200]);
      expect((await patch(id, { mfaMode }, safe.token)).status).toBe(200);
      for (const app of [other, test]) expect(await statuses(app)).toEqual(then);
      expect((await get(id, admin.token)).body).toEqual(LOCKED);
      expect((await list(admin.token)).body.items).toEqual([]);
      expect((await patch(id, { mfaMode: 'notRequired' }, admin.token)).body).toEqual(LOCKED);
      expect((await patch(id, { mfaMode: 'notRequired' }, safe.token)).status).toBe(200);
      for (const app of [other, test]) expect(await statuses(app)).toEqual([200, 200]);
    },
  );
});
