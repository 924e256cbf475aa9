import {
  makeApplication,
  makeMember,
  makeOrg,
  makeUser,
  tokenOf,
  uniqueName,
} from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { newId } from '../../../platform/repositories/resource.js';

const MISSING = { type: 'NotFound', message: 'Organization was not found' };

describe('An organization', () => {
  const { test, other } = suite();

  const get = (id: string, token: string) => test.client.get(`/orgs/${id}`, { token });
  const patch = (id: string, body: unknown, token: string) =>
    test.client.patch(`/orgs/${id}`, body, { token });
  const remove = (id: string, token: string) => test.client.delete(`/orgs/${id}`, { token });
  const rowsOf = (id: string): Promise<object[]> =>
    test.dataSource.query('SELECT * FROM orgs WHERE id = $1', [id]);

  it.each([
    ['none', 404, 404, 404],
    ['view', 200, 403, 403],
    ['collaborate', 200, 403, 403],
    ['edit', 200, 403, 403],
    ['admin', 200, 200, 200],
  ] as const)(
    'for members with the role %s returns %i when read, %i when changed and %i when deleted',
    async (role, read, changed, deleted) => {
      const { id } = await makeOrg(test, (await makeUser(test)).token);
      const { token } = await makeMember(test, id, role);
      expect((await get(id, token)).status).toBe(read);
      expect((await patch(id, { description: 'd' }, token)).status).toBe(changed);
      expect((await remove(id, token)).status).toBe(deleted);
    },
  );

  it('returns 404 to callers outside it', async () => {
    const { id } = await makeOrg(test, (await makeUser(test)).token);
    const { token } = await makeUser(test);
    const before = await rowsOf(id);
    for (const asked of [id, newId()]) {
      for (const answer of [
        await get(asked, token),
        await patch(asked, { name: 'x' }, token),
        await remove(asked, token),
      ])
        expect({ status: answer.status, body: answer.body }).toEqual({ status: 404, body: MISSING });
    }
    expect(await rowsOf(id)).toEqual(before);
    expect((await get('x', token)).status).toBe(400);
    expect((await test.client.get(`/orgs/${id}`)).status).toBe(401);
  });

  it('is found by its upper-case ID', async () => {
    const { token } = await makeUser(test);
    const org = await makeOrg(test, token);
    expect((await get(org.id.toUpperCase(), token)).body).toEqual(org);
  });

  it('requires separate scopes', async () => {
    const { id: userId, token } = await makeUser(test);
    const { id } = await makeOrg(test, token);
    for (const [scope, read, changed] of [
      ['org.get', 200, 403],
      ['org.patch', 403, 200],
      ['only.Organization', 200, 200],
      ['all.Organization.read', 200, 403],
      ['all.User.read', 200, 403],
      ['orgs.*', 403, 403],
      ['all.Application', 403, 403],
    ] as const) {
      const limited = tokenOf(test, userId, [scope]);
      expect({ scope, status: (await get(id, limited)).status }).toEqual({ scope, status: read });
      expect({ scope, status: (await patch(id, {}, limited)).status }).toEqual({ scope, status: changed });
    }
  });

  describe('when updated', () => {
    it.each<[object]>([
      [{ name: 'other' }],
      [{ description: '' }],
      [{ iconColor: '#000000' }],
      [{ billingEmail: 'other@example.com' }],
      [{ planId: 'other' }],
      [{ mfaMode: 'adminRequired' }],
      [{}],
    ])('with %j keeps the other properties', async (change) => {
      const { token } = await makeUser(test, { twoFactorKey: 'sealed' });
      const org = await makeOrg(test, token, { description: 'd', iconColor: '#fff', planId: 'p' });
      const { status, body } = await patch(org.id, change, token);
      expect(status).toBe(200);
      expect(body).toEqual({ ...org, ...change, lastUpdated: expect.any(String) });
      expect((await get(org.id, token)).body).toEqual(body);
    });

    it.each(['required', 'adminRequired'])(
      'to the two-factor mode %s requires that the admin uses two-factor authentication',
      async (mfaMode) => {
        const { token } = await makeUser(test);
        const org = await makeOrg(test, token);
        const { status, body } = await patch(org.id, { mfaMode }, token);
        expect(status).toBe(400);
        expect(body.message).toMatch(/^organization\.mfaMode requires two-factor authentication/);
        expect((await get(org.id, token)).body).toEqual(org);
        expect((await patch(org.id, { mfaMode: 'notRequired' }, token)).status).toBe(200);
      },
    );

    it.each([
      ['required', 403, 403],
      ['adminRequired', 200, 403],
    ])(
      'to the two-factor mode %s returns %i to members and %i to admins without it',
      async (mfaMode, seen, led) => {
        const { token } = await makeUser(test, { twoFactorKey: 'sealed' });
        const { id } = await makeOrg(test, token);
        const member = await makeMember(test, id, 'edit');
        const admin = await makeMember(test, id, 'admin');
        const statuses = async () => {
          const answers = [];
          for (const asker of [member, admin])
            answers.push((await other.client.get(`/orgs/${id}`, { token: asker.token })).status);
          return answers;
        };
        expect(await statuses()).toEqual([200, 200]);
        expect((await patch(id, { mfaMode }, token)).status).toBe(200);
        expect(await statuses()).toEqual([seen, led]);
        expect((await get(id, token)).status).toBe(200);
        expect((await patch(id, { mfaMode: 'notRequired' }, token)).status).toBe(200);
        expect(await statuses()).toEqual([200, 200]);
      },
    );

    it('accepts a payment card and does not store it', async () => {
      const { token } = await makeUser(test);
      const { id } = await makeOrg(test, token);
      const cardToken = uniqueName('card');
      expect((await patch(id, { cardToken }, token)).status).toBe(200);
      expect(JSON.stringify(await rowsOf(id))).not.toContain(cardToken);
    });

    it.each<[string, unknown]>([
      ['name', { name: null }],
      ['name', { name: '' }],
      ['description', { description: null }],
      ['billingEmail', { billingEmail: 'x' }],
      ['mfaMode', { mfaMode: null }],
      ['members', { members: [] }],
      ['instanceId', { instanceId: newId() }],
    ])('is rejected for %s in %j', async (property, change) => {
      const { token } = await makeUser(test);
      const org = await makeOrg(test, token);
      const { status, body } = await patch(org.id, change, token);
      expect(status).toBe(400);
      expect(body.message.startsWith(`organization.${property} `)).toBe(true);
      expect((await get(org.id, token)).body).toEqual(org);
    });

    it('shows its new name on its applications', async () => {
      const { token } = await makeUser(test);
      const org = await makeOrg(test, token);
      const application = await makeApplication(test, token, { orgId: org.id });
      await patch(org.id, { name: 'renamed', iconColor: '#abc' }, token);
      expect((await test.client.get(`/applications/${application.id}`, { token })).body).toMatchObject({
        organizationName: 'renamed',
        organizationIconColor: '#abc',
      });
    });

    it('by concurrent requests keeps changes to different properties', async () => {
      const { token } = await makeUser(test);
      const { id } = await makeOrg(test, token);
      const changes = [{ name: 'n' }, { description: 'd' }, { iconColor: 'c' }, { planId: 'p' }];
      await Promise.all(Array.from({ length: 20 }, (_, i) => patch(id, changes[i % 4], token)));
      expect((await get(id, token)).body).toMatchObject(Object.assign({}, ...changes));
    });
  });

  describe('when deleted', () => {
    it('is immediately inaccessible to every member in every process, as are its applications', async () => {
      const admin = await makeUser(test);
      const org = await makeOrg(test, admin.token);
      const application = await makeApplication(test, admin.token, { orgId: org.id });
      const kept = await makeApplication(test, admin.token);
      const tokens = [admin.token];
      for (const role of ['admin', 'edit', 'view'] as const)
        tokens.push((await makeMember(test, org.id, role)).token);
      const guest = await makeMember(test, org.id, 'none', {
        applicationRoles: [{ resourceId: application.id, role: 'collaborate' }],
      });
      const applicationPath = `/applications/${application.id}`;
      for (const { client } of [test, other]) {
        for (const token of [...tokens, guest.token])
          expect((await client.get(applicationPath, { token })).status).toBe(200);
      }
      expect((await remove(org.id, admin.token)).body).toEqual({ success: true });
      for (const { client } of [other, test]) {
        for (const token of [...tokens, guest.token]) {
          expect((await client.get(`/orgs/${org.id}`, { token })).body).toEqual(MISSING);
          expect((await client.get('/orgs', { token })).body).toMatchObject({ items: [], totalCount: 0 });
          expect((await client.get(applicationPath, { token })).status).toBe(404);
          expect((await client.patch(applicationPath, { name: 'x' }, { token })).status).toBe(404);
          expect((await client.get(`/applications?orgId=${org.id}`, { token })).body.totalCount).toBe(0);
          expect((await client.post('/applications', { name: 'x', orgId: org.id }, { token })).status).toBe(
            404,
          );
          expect((await client.get('/me', { token })).status).toBe(200);
        }
        const { body } = await client.get('/applications', { token: admin.token });
        expect(body).toMatchObject({ items: [{ id: kept.id }], totalCount: 1 });
      }
    });

    it('by 20 concurrent requests is deleted once, and one job removes its rows', async () => {
      const { id: userId, token } = await makeUser(test);
      const { id } = await makeOrg(test, token);
      const application = await makeApplication(test, token, { orgId: id });
      const answers = await Promise.all(Array.from({ length: 20 }, () => remove(id, token)));
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 404)]);
      await waitUntil(async () => (await rowsOf(id)).length === 0);
      for (const [table, column] of [
        ['org_members', 'org_id'],
        ['applications', 'owner_id'],
      ])
        expect(await test.dataSource.query(`SELECT FROM ${table} WHERE ${column} = $1`, [id])).toEqual([]);
      expect((await test.client.get(`/applications/${application.id}`, { token })).status).toBe(404);
      const jobs: unknown = await test.dataSource.query("SELECT * FROM jobs WHERE payload->>'orgId' = $1", [
        id,
      ]);
      expect(jobs).toEqual([
        expect.objectContaining({ name: 'org.purge', requested_by_id: userId, requested_by_type: 'user' }),
      ]);
      expect((await test.client.get('/me', { token })).status).toBe(200);
    });

    it('does not affect other organizations', async () => {
      const { token } = await makeUser(test);
      const [gone, kept] = [await makeOrg(test, token), await makeOrg(test, token)];
      const application = await makeApplication(test, token, { orgId: kept.id });
      await remove(gone.id, token);
      await waitUntil(async () => (await rowsOf(gone.id)).length === 0);
      expect((await get(kept.id, token)).body).toMatchObject({ id: kept.id, summary: { appCount: 1 } });
      expect((await test.client.get(`/applications/${application.id}`, { token })).status).toBe(200);
    });
  });
});
