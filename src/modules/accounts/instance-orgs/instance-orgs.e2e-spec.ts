import { mailsTo } from '../../../../test/doubles/mails.js';
import { instanceOrgsIn } from '../../../../test/make/instance-orgs.js';
import {
  makeInstanceMember,
  makeMember,
  makeOrg,
  makeUser,
  tokenOf,
  uniqueName,
  type TestUser,
  makeInstance,
} from '../../../../test/make/make.js';
import { makeApiToken } from '../../../../test/make/sign-in.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { newId } from '../../../platform/repositories/resource.js';
import { Org } from '../orgs/org.resource.js';

const MISSING = { type: 'NotFound', message: 'Organization was not found' };

describe('Organizations of an instance', () => {
  const { test, other } = suite();
  const { admin, create, get, patch, make, entriesOf } = instanceOrgsIn(test);
  let path: string;
  beforeAll(() => {
    path = `/instances/${admin.instanceId}/orgs`;
  });

  /** Creates an organization in another instance. */
  async function makeElsewhere(): Promise<{ instanceId: string; orgId: string }> {
    const { id: instanceId } = await makeInstance(test);
    const now = new Date();
    const id = newId();
    await test.dataSource.manager.insert(Org, {
      id,
      instanceId,
      name: uniqueName('org'),
      creationDate: now,
      lastUpdated: now,
      isReadOnly: false,
    });
    return { instanceId, orgId: id };
  }

  describe('access', () => {
    it('is granted to read with the role view and to change with the role admin, and returns 404 to others', async () => {
      const org = await make();
      const viewer = await makeInstanceMember(test, 'view');
      const member = await makeMember(test, org.id, 'admin');
      for (const [token, read, written] of [
        [viewer.token, 200, 403],
        [member.token, 404, 404],
        [undefined, 401, 401],
      ] as const) {
        const statuses = [];
        for (const [method, at, body] of [
          ['GET', path, undefined],
          ['GET', `${path}/${org.id}`, undefined],
          ['POST', path, { name: 'x' }],
          ['PATCH', `${path}/${org.id}`, { name: 'x' }],
          ['DELETE', `${path}/${org.id}`, undefined],
        ] as const)
          statuses.push((await test.client.request(method, at, { token, body })).status);
        expect(statuses).toEqual([read, read, written, written, written]);
      }
      expect((await get(org.id)).body).toMatchObject({ name: org.name });
    });

    it('is not granted to organizations of another instance, through either instance', async () => {
      const { instanceId, orgId } = await makeElsewhere();
      const own = await make();
      for (const asked of [`${path}/${orgId}`, `${path}/${newId()}`]) {
        for (const answer of [
          await test.client.get(asked, { token: admin.token }),
          await test.client.patch(asked, { name: 'x' }, { token: admin.token }),
          await test.client.delete(asked, { token: admin.token }),
        ])
          expect({ status: answer.status, body: answer.body }).toEqual({ status: 404, body: MISSING });
      }
      for (const asked of [`/instances/${instanceId}/orgs`, `/instances/${instanceId}/orgs/${orgId}`])
        expect((await test.client.get(asked, { token: admin.token })).body.message).toBe(
          'Instance was not found',
        );
      const there = await makeInstanceMember(test, 'admin', { instanceId });
      const list = await test.client.get(`/instances/${instanceId}/orgs`, { token: there.token });
      expect(list.body).toMatchObject({ items: [{ id: orgId }], totalCount: 1, instanceId });
      const crossed = `/instances/${instanceId}/orgs/${own.id}`;
      expect((await test.client.get(crossed, { token: there.token })).body).toEqual(MISSING);
      expect((await test.client.delete(crossed, { token: there.token })).status).toBe(404);
    });

    it('requires separate scopes', async () => {
      const { id } = await make();
      for (const [scope, listed, read, changed] of [
        ['instanceOrgs.get', 200, 403, 403],
        ['instanceOrg.*', 403, 200, 200],
        ['all.Instance', 200, 200, 200],
        ['all.Instance.read', 200, 200, 403],
        ['all.Instance.bounded', 200, 200, 200],
        ['all.User.read', 200, 200, 403],
        ['all.Organization', 403, 403, 403],
      ] as const) {
        const token = tokenOf(test, admin.id, [scope]);
        const statuses = [
          (await test.client.get(path, { token })).status,
          (await get(id, token)).status,
          (await patch(id, {}, token)).status,
        ];
        expect({ scope, statuses }).toEqual({ scope, statuses: [listed, read, changed] });
      }
    });

    it('excludes organizations removed by the cap of a token', async () => {
      const [hidden, shown] = [await make(), await make()];
      const { token } = await makeApiToken(test, admin.token, {
        defaultRole: 'view',
        orgRoles: [{ orgId: hidden.id, role: 'none' }],
      });
      const ids = (await test.client.get(`${path}?perPage=1000`, { token })).body.items.map(
        ({ id }: { id: string }) => id,
      );
      expect(ids).toContain(shown.id);
      expect(ids).not.toContain(hidden.id);
      expect((await get(hidden.id, token)).body).toEqual(MISSING);
      expect((await patch(shown.id, {}, token)).status).toBe(403);
    });
  });

  describe('when created', () => {
    it('have the creator as their only admin, and default settings', async () => {
      const { status, body } = await create({ name: 'North Field' });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        name: 'North Field',
        mfaMode: 'notRequired',
        isReadOnly: false,
        disabledAt: false,
        limits: { dataTTL: 30 * 86_400 },
        members: [{ userId: admin.id, role: 'admin' }],
        summary: { memberCount: 1, appCount: 0 },
      });
      expect((await test.client.get(`/orgs/${body.id}`, { token: admin.token })).body).toEqual(body);
      expect((await get(body.id)).body).toMatchObject({
        id: body.id,
        orgId: body.id,
        instanceId: admin.instanceId,
        auditLogEnabled: true,
        tags: [],
        disabledAt: false,
      });
    });

    it('store all given properties', async () => {
      const given = {
        name: uniqueName('org'),
        description: 'd',
        iconColor: '#fff',
        mfaMode: 'adminRequired',
        limits: { member: 5 },
        banner: { message: 'm', level: 'warning' },
        isReadOnly: true,
        disabledAt: '2090-01-01T00:00:00.000Z',
        auditLogEnabled: false,
        tags: [{ key: 'region', value: 'north' }],
        referralId: 'crm-1',
      };
      const { id } = await make({ ...given, whitelistedEmailDomains: ['EXAMPLE.com'] });
      expect((await get(id)).body).toMatchObject({ ...given, whitelistedEmailDomains: ['example.com'] });
    });

    it('can be restricted to domains that do not include that of the creator', async () => {
      const whitelistedEmailDomains = ['customer.example'];
      const email = `${uniqueName()}@customer.example`;
      const org = await make({ whitelistedEmailDomains, members: [{ email, role: 'admin' }] });
      expect(org.members).toMatchObject([{ userId: admin.id, role: 'admin' }]);
      const { id: userId } = await makeUser(test);
      for (const asked of [
        [{ userId: admin.id, role: 'admin' }],
        [
          { userId: admin.id, role: 'admin' },
          { userId, role: 'view' },
        ],
      ]) {
        const body = { name: uniqueName(), whitelistedEmailDomains, members: asked };
        const { status } = await create(body);
        expect(status).toBe(asked.length === 1 ? 200 : 400);
      }
    });

    it('have the given members, and invitations for those given by email address', async () => {
      const [boss, guest] = [await makeUser(test), await makeUser(test)];
      const email = `${uniqueName('new')}@example.com`;
      const applicationRoles = [{ resourceId: newId().toUpperCase(), role: 'view' }];
      // Both processes have cached the users before, without the organization.
      for (const { client } of [test, other])
        expect((await client.get('/orgs', { token: boss.token })).body.totalCount).toBe(0);
      const org = await make({
        members: [
          { userId: boss.id.toUpperCase(), role: 'admin' },
          { userId: guest.id, role: 'none', applicationRoles },
          { email: email.toUpperCase(), role: 'admin', disallowTransfer: true },
        ],
      });
      expect(org.members).toHaveLength(2);
      expect(org.members).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ userId: boss.id, role: 'admin' }),
          expect.objectContaining({
            userId: guest.id,
            role: 'none',
            applicationRoles: [
              { ...applicationRoles[0], resourceId: applicationRoles[0]!.resourceId.toLowerCase() },
            ],
          }),
        ]),
      );
      for (const { client } of [test, other])
        expect((await client.get(`/orgs/${org.id}`, { token: boss.token })).status).toBe(200);
      expect((await test.client.get(`/orgs/${org.id}`, { token: admin.token })).status).toBe(404);
      const invites = await test.client.get(`${path}/${org.id}/invites`, { token: admin.token });
      expect(invites.body.items).toEqual([expect.objectContaining({ email, role: 'admin' })]);
      await waitUntil(async () => (await mailsTo(test, email)).length === 1);
    });

    it('include the creator if none of the given members is an admin', async () => {
      const user = await makeUser(test);
      const org = await make({
        members: [
          { userId: user.id, role: 'edit' },
          { email: `${uniqueName()}@example.com`, role: 'admin' },
        ],
      });
      const roles = org.members.map(({ userId, role }: any) => [userId, role]);
      expect(Object.fromEntries(roles)).toEqual({ [user.id]: 'edit', [admin.id]: 'admin' });
    });

    it.each<[string, (user: TestUser) => object[]]>([
      ['organization.members must have an admin', () => [{ userId: admin.id, role: 'view' }]],
      ['member.userId is already a member', ({ id }) => [id, id].map((userId) => ({ userId, role: 'view' }))],
      [
        'invite.email is the address of a member',
        ({ id, email }) => [
          { userId: id, role: 'view' },
          { email, role: 'view' },
        ],
      ],
      [
        'organization.members must have at most 10',
        () => Array.from({ length: 11 }, () => ({ userId: newId(), role: 'view' })),
      ],
      ['organization.members.0', ({ id, email }) => [{ userId: id, email, role: 'view' }]],
      ['organization.members.0', ({ id }) => [{ userId: id }]],
      ['organization.members.0', () => [{ email: 'x', role: 'view' }]],
    ])('are rejected: %s', async (message, members) => {
      const name = uniqueName('org');
      const { status, body } = await create({ name, members: members(await makeUser(test)) });
      expect(status).toBe(400);
      expect(body.message.slice(0, message.length)).toBe(message);
      expect(await test.dataSource.manager.existsBy(Org, { name })).toBe(false);
    });

    it('are rejected with users that belong to another instance, are deleted or do not exist', async () => {
      const { id: instanceId } = await makeInstance(test);
      const now = new Date();
      const users = [
        (await makeUser(test, { instanceId })).id,
        (await makeUser(test, { permanentDeletion: now, dataDeletion: now })).id,
        newId(),
      ];
      for (const userId of users) {
        const { status, body } = await create({ name: uniqueName(), members: [{ userId, role: 'admin' }] });
        expect([status, body.message]).toEqual([404, 'User was not found']);
      }
    });

    it.each<[string, object]>([
      ['name', {}],
      ['name', { name: '' }],
      ['billingEmail', { name: 'x', billingEmail: 'a@example.com' }],
      ['disabledAt', { name: 'x', disabledAt: 'tomorrow' }],
      ['tags.0.key', { name: 'x', tags: [{ key: 'a b', value: 'c' }] }],
      ['tags.0.value', { name: 'x', tags: [{ key: 'a', value: '' }] }],
      ['limits.widgets', { name: 'x', limits: { widgets: 1 } }],
      ['banner.level', { name: 'x', banner: { level: 'loud' } }],
      ['whitelistedEmailDomains.0', { name: 'x', whitelistedEmailDomains: ['a'] }],
    ])('are rejected for %s in %j', async (property, body) => {
      const answer = await create(body);
      expect(answer.status).toBe(400);
      expect(answer.body.message.startsWith(`organization.${property} `)).toBe(true);
    });

    it('by an API token of the instance require an admin among the members, and add no other', async () => {
      const made = await test.client.post(
        `/instances/${admin.instanceId}/tokens`,
        { name: uniqueName('token') },
        { token: admin.token },
      );
      const { token } = made.body;
      const refused = [
        undefined,
        [],
        [{ userId: admin.id, role: 'edit' }],
        [{ email: 'boss@example.com', role: 'admin' }],
      ];
      for (const members of refused) {
        const { status, body } = await create({ name: 'x', members }, token);
        expect([status, body.message]).toEqual([
          400,
          'organization.members must have an admin who is given by userId',
        ]);
      }
      const user = await makeUser(test);
      const { status, body } = await create(
        { name: 'x', members: [{ userId: user.id, role: 'admin' }] },
        token,
      );
      expect(status).toBe(200);
      expect(body.members.map(({ userId }: any) => userId)).toEqual([user.id]);
      const [entry] = await entriesOf('instance_audit_logs', body.id);
      expect(entry).toMatchObject({ actor_id: made.body.id, request_action: 'post' });
    });

    it('start with the limits of the instance, up to its remaining capacity', async () => {
      const { id: instanceId } = await makeInstance(test, {
        limits: { organization: 2 },
        orgDefaultLimitConfig: { dataTTL: 86_400, member: 3 },
      });
      const { token } = await makeInstanceMember(test, 'admin', { instanceId });
      const answers = await Promise.all(
        Array.from({ length: 6 }, () =>
          test.client.post(`/instances/${instanceId}/orgs`, { name: uniqueName('org') }, { token }),
        ),
      );
      const made = answers.filter(({ status }) => status === 200);
      expect(made.map(({ body }) => body.limits)).toEqual(
        Array.from({ length: 2 }, () => ({ dataTTL: 86_400, member: 3 })),
      );
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(4);
    });

    it('are recorded in both audit logs', async () => {
      const org = await make({ tags: [{ key: 'a', value: 'b' }] });
      const entry = {
        request_action: 'post',
        actor_id: admin.id,
        request_body: expect.objectContaining({ name: org.name }),
      };
      expect(await entriesOf('instance_audit_logs', org.id)).toEqual([
        {
          ...entry,
          primary_target_type: 'Organization',
          primary_target_id: org.id,
          primary_target_name: org.name,
        },
      ]);
      expect(await entriesOf('audit_logs', org.id)).toEqual([
        { ...entry, primary_target_type: null, primary_target_id: null, primary_target_name: null },
      ]);
    });
  });

  it('are found by upper-case IDs, with the requested summary', async () => {
    const org = await make();
    const upper = `/instances/${admin.instanceId.toUpperCase()}/orgs/${org.id.toUpperCase()}`;
    const { body } = await test.client.get(`${upper}?summaryInclude=memberCount`, { token: admin.token });
    expect(body).toMatchObject({ id: org.id, summary: { memberCount: 1 } });
    expect(Object.keys(body.summary)).toEqual(['memberCount']);
    expect((await get('x')).status).toBe(400);
    const refused = await test.client.get(`${path}/${org.id}?summaryInclude=fooCount`, {
      token: admin.token,
    });
    expect(refused.status).toBe(400);
    const foreign = await makeOrg(test, (await makeUser(test)).token);
    expect((await get(foreign.id)).body).toMatchObject({ id: foreign.id, summary: { memberCount: 1 } });
  });
});
