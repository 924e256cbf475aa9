import type { TestApp } from '../../../../test/setup/app.js';
import { instanceOrgsIn } from '../../../../test/make/instance-orgs.js';
import { makeApplication, makeMember, uniqueName } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { newId } from '../../../platform/repositories/resource.js';
import { Org } from '../orgs/org.resource.js';

const MISSING = { type: 'NotFound', message: 'Organization was not found' };

describe('An organization of an instance', () => {
  const { test, other } = suite();
  const { admin, get, patch, remove, make, entriesOf } = instanceOrgsIn(test);
  let path: string;
  beforeAll(() => {
    path = `/instances/${admin.instanceId}/orgs`;
  });

  describe('when updated', () => {
    it.each<[object]>([
      [{ name: 'other' }],
      [{ description: '' }],
      [{ iconColor: '#000000' }],
      [{ mfaMode: 'required' }],
      [{ limits: { member: 3 } }],
      [{ banner: { message: 'n' } }],
      [{ isReadOnly: false }],
      [{ disabledAt: '2026-01-01T00:00:00.000Z' }],
      [{ auditLogEnabled: false }],
      [{ tags: [] }],
      [{ referralId: 'r' }],
      [{ whitelistedEmailDomains: ['b.example'] }],
      [{}],
    ])('with %j keeps the other properties', async (change) => {
      const { id } = await make({
        description: 'd',
        iconColor: '#fff',
        limits: { dataTTL: 86_400 },
        banner: { message: 'm', level: 'info' },
        isReadOnly: true,
        tags: [{ key: 'a', value: 'b' }],
        whitelistedEmailDomains: ['example.com'],
      });
      const before = (await get(id)).body;
      const { status, body } = await patch(id, change);
      expect(status).toBe(200);
      expect(body).toEqual({ ...before, ...change, lastUpdated: expect.any(String) });
      expect((await get(id)).body).toEqual(body);
    });

    it('is disabled immediately with true and not at all with false, and loses its banner if that is empty', async () => {
      const { id } = await make({ banner: { message: 'm' } });
      const now = Date.now();
      const disabled = (await patch(id, { disabledAt: true })).body.disabledAt;
      expect(Math.abs(Date.parse(disabled) - now)).toBeLessThan(60_000);
      expect((await patch(id, { description: 'd' })).body.disabledAt).toBe(disabled);
      const { body } = await patch(id, { disabledAt: false, banner: {} });
      expect(body.disabledAt).toBe(false);
      expect(body).not.toHaveProperty('banner');
    });

    it.each<[string, unknown]>([
      ['name', { name: null }],
      ['members', { members: [] }],
      ['billingEmail', { billingEmail: 'a@example.com' }],
      ['instanceId', { instanceId: newId() }],
      ['disabledAt', { disabledAt: null }],
      ['limits.storage', { limits: { storage: 2 ** 53 } }],
      ['tags', { tags: Array.from({ length: 101 }, () => ({ key: 'a', value: 'b' })) }],
    ])('is rejected for %s', async (property, change) => {
      const { id } = await make();
      const before = (await get(id)).body;
      const { status, body } = await patch(id, change);
      expect(status).toBe(400);
      expect(body.message.startsWith(`organization.${property} `)).toBe(true);
      expect((await get(id)).body).toEqual(before);
    });

    it.each<[string, object, object]>([
      ['read-only', { isReadOnly: true }, { isReadOnly: false }],
      ['disabled', { disabledAt: true }, { disabledAt: false }],
      [
        'disabled since yesterday',
        { disabledAt: '2020-01-01T00:00:00Z' },
        { disabledAt: '2090-01-01T00:00:00Z' },
      ],
    ])(
      'to be %s limits members and application tokens to reading, immediately in every process',
      async (_, on, off) => {
        const org = await make();
        const application = await makeApplication(test, admin.token, { orgId: org.id });
        const member = await makeMember(test, org.id, 'edit');
        const guest = await makeMember(test, org.id, 'none', {
          applicationRoles: [{ resourceId: application.id, role: 'collaborate' }],
        });
        const applicationToken = await test.client.post(
          `/applications/${application.id}/tokens`,
          { name: uniqueName('token') },
          { token: admin.token },
        );
        const tokens = [admin.token, member.token, guest.token, applicationToken.body.token];
        const at = `/applications/${application.id}`;
        const statuses = async () => {
          const found = [];
          for (const { client } of [other, test]) {
            for (const token of tokens) {
              found.push((await client.get(`${at}/readme`, { token })).status);
              found.push((await client.patch(`${at}/readme`, { content: 'x' }, { token })).status);
            }
            found.push((await client.get(`/orgs/${org.id}`, { token: admin.token })).status);
            found.push(
              (await client.patch(`/orgs/${org.id}`, { description: 'x' }, { token: admin.token })).status,
            );
          }
          return found;
        };
        expect(new Set(await statuses())).toEqual(new Set([200]));
        expect((await patch(org.id, on)).status).toBe(200);
        expect(await statuses()).toEqual(Array.from({ length: 10 }, () => [200, 403]).flat());
        // Members of the instance still have write access.
        expect((await patch(org.id, { description: 'y' })).status).toBe(200);
        expect((await patch(org.id, off)).status).toBe(200);
        expect(new Set(await statuses())).toEqual(new Set([200]));
      },
    );

    it('to require a second factor blocks members without one, immediately in every process', async () => {
      const org = await make();
      const member = await makeMember(test, org.id, 'view');
      const ask = async () => {
        const found = [];
        for (const { client } of [other, test])
          found.push((await client.get(`/orgs/${org.id}`, { token: member.token })).status);
        return found;
      };
      expect(await ask()).toEqual([200, 200]);
      await patch(org.id, { mfaMode: 'required' });
      expect(await ask()).toEqual([403, 403]);
      await patch(org.id, { mfaMode: 'adminRequired' });
      expect(await ask()).toEqual([200, 200]);
    });

    it('has its new limits immediately in every process', async () => {
      const org = await make();
      const makeOne = ({ client }: TestApp) =>
        client.post('/applications', { name: uniqueName(), orgId: org.id }, { token: admin.token });
      expect((await makeOne(other)).status).toBe(201);
      await patch(org.id, { limits: { application: 1 } });
      expect([(await makeOne(other)).status, (await makeOne(test)).status]).toEqual([400, 400]);
      await patch(org.id, { limits: { application: Number.MAX_SAFE_INTEGER } });
      expect((await makeOne(other)).status).toBe(201);
    });

    it('is recorded in both audit logs, including as the last entry of a log that is disabled', async () => {
      const org = await make();
      await patch(org.id, { name: 'renamed' });
      await patch(org.id, { auditLogEnabled: false });
      await patch(org.id, { description: 'unseen' });
      await patch(org.id, { auditLogEnabled: true });
      const bodies = async (table: 'audit_logs' | 'instance_audit_logs') =>
        (await entriesOf(table, org.id)).slice(1).map(({ request_body: body }) => body);
      const seen = [{ name: 'renamed' }, { auditLogEnabled: false }];
      expect(await bodies('audit_logs')).toEqual([...seen, { auditLogEnabled: true }]);
      expect(await bodies('instance_audit_logs')).toEqual([
        ...seen,
        { description: 'unseen' },
        { auditLogEnabled: true },
      ]);
      const [, renamed] = await entriesOf('instance_audit_logs', org.id);
      expect(renamed).toMatchObject({ primary_target_type: 'Organization', primary_target_name: 'renamed' });
    });

    it('by concurrent requests keeps changes to different properties', async () => {
      const { id } = await make();
      const changes = [{ name: 'n' }, { description: 'd' }, { iconColor: 'c' }, { referralId: 'r' }];
      await Promise.all(Array.from({ length: 20 }, (_, i) => patch(id, changes[i % 4])));
      expect((await get(id)).body).toMatchObject(Object.assign({}, ...changes));
    });
  });

  describe('when deleted', () => {
    it('is immediately inaccessible to members, application tokens and the instance in every process', async () => {
      const org = await make();
      const application = await makeApplication(test, admin.token, { orgId: org.id });
      const member = await makeMember(test, org.id, 'view');
      const { body: applicationToken } = await test.client.post(
        `/applications/${application.id}/tokens`,
        { name: uniqueName('token') },
        { token: admin.token },
      );
      const asks = [
        [`/orgs/${org.id}`, member.token, 404],
        [`/applications/${application.id}`, member.token, 404],
        [`/applications/${application.id}`, applicationToken.token, 401],
        [`${path}/${org.id}`, admin.token, 404],
        [`${path}/${org.id}/members`, admin.token, 404],
      ] as const;
      for (const { client } of [test, other])
        for (const [at, token] of asks) expect((await client.get(at, { token })).status).toBe(200);
      expect((await remove(org.id)).body).toEqual({ success: true });
      for (const { client } of [other, test])
        for (const [at, token, status] of asks) expect((await client.get(at, { token })).status).toBe(status);
      expect((await patch(org.id, { name: 'x' })).body).toEqual(MISSING);
      const [, entry] = await entriesOf('instance_audit_logs', org.id);
      expect(entry).toMatchObject({ request_action: 'delete', primary_target_name: org.name });
      await waitUntil(async () => !(await test.dataSource.manager.existsBy(Org, { id: org.id })));
    });

    it('by 10 concurrent requests is deleted once', async () => {
      const { id } = await make();
      const answers = await Promise.all(Array.from({ length: 10 }, () => remove(id)));
      expect(answers.map(({ status }) => status).sort()).toEqual([
        200,
        ...Array.from({ length: 9 }, () => 404),
      ]);
    });
  });
});
