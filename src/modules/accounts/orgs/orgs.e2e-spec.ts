import {
  makeApplication,
  makeMember,
  makeOrg,
  makeUser,
  tokenOf,
  uniqueName,
  type TestUser,
} from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { usualCounts } from '../../../../test/make/summaries.js';
import { newId } from '../../../platform/repositories/resource.js';

describe('Organizations', () => {
  const { test } = suite();

  const post = (body: unknown, token: string) => test.client.post('/orgs', body, { token });
  const list = (token: string, query = '') => test.client.get(`/orgs${query}`, { token });
  const usual = (more?: object) => usualCounts(test.document, 'OrgSummary', { memberCount: 1, ...more });
  const namesOf = (body: { items: { name: string }[] }) => body.items.map(({ name }) => name);
  const view = ({ id, email }: TestUser, role: string, more: object = {}) => ({
    userId: id,
    email,
    role,
    applicationRoles: [],
    dashboardRoles: [],
    twoFactorAuthEnabled: false,
    ssoLinked: false,
    ...more,
  });

  describe('when created', () => {
    it('require a name and have their creator as the only member, with the role admin', async () => {
      const user = await makeUser(test);
      const { status, body } = await post({ name: 'North Field' }, user.token);
      expect(status).toBe(201);
      expect(body).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        orgId: body.id,
        creationDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        lastUpdated: body.creationDate,
        name: 'North Field',
        mfaMode: 'notRequired',
        limits: { dataTTL: 2_592_000 },
        isReadOnly: false,
        disabledAt: false,
        members: [view(user, 'admin')],
        summary: usual(),
      });
      expect((await test.client.get(`/orgs/${body.id}`, { token: user.token })).body).toEqual(body);
      expect((await list(user.token)).body.items).toEqual([body]);
    });

    it('store every property except the payment card, which is accepted but never stored', async () => {
      const { token } = await makeUser(test, { twoFactorKey: 'sealed' });
      const cardToken = uniqueName('card');
      const given = {
        name: 'n',
        description: 'd'.repeat(32767),
        iconColor: '#4CAF50',
        billingEmail: 'billing@example.com',
        planId: 'standard',
        mfaMode: 'required',
      };
      const { status, body } = await post({ ...given, cardToken }, token);
      expect(status).toBe(201);
      expect(body).toMatchObject(given);
      expect(body).not.toHaveProperty('cardToken');
      const rows: unknown = await test.dataSource.query('SELECT * FROM orgs WHERE id = $1', [body.id]);
      expect(JSON.stringify([rows, test.log])).not.toContain(cardToken);
    });

    it.each(['required', 'adminRequired'])(
      'with the two-factor mode %s require that the creator uses two-factor authentication',
      async (mfaMode) => {
        const { token } = await makeUser(test);
        const { status, body } = await post({ name: 'n', mfaMode }, token);
        expect(status).toBe(400);
        expect(body.message).toMatch(/^organization\.mfaMode requires two-factor authentication/);
        expect((await list(token)).body.totalCount).toBe(0);
        const linked = await makeUser(test, { ssoLinked: true });
        expect((await post({ name: 'n', mfaMode }, linked.token)).status).toBe(201);
      },
    );

    it('return the requested summary', async () => {
      const { token } = await makeUser(test);
      const { body } = await test.client.post('/orgs?summaryInclude=memberCount', { name: 'n' }, { token });
      expect(body.summary).toEqual({ memberCount: 1 });
    });

    it.each<[string, unknown]>([
      ['name', {}],
      ['name', { name: '' }],
      ['name', { name: null }],
      ['name', { name: 'x'.repeat(256) }],
      ['description', { name: 'n', description: 5 }],
      ['description', { name: 'n', description: 'x'.repeat(32768) }],
      ['iconColor', { name: 'n', iconColor: 'x'.repeat(65) }],
      ['billingEmail', { name: 'n', billingEmail: 'nobody' }],
      ['mfaMode', { name: 'n', mfaMode: 'sometimes' }],
      ['cardToken', { name: 'n', cardToken: 5 }],
      ['id', { name: 'n', id: newId() }],
      ['members', { name: 'n', members: [] }],
      ['limits', { name: 'n', limits: {} }],
      ['instanceId', { name: 'n', instanceId: newId() }],
      ['deletedAt', { name: 'n', deletedAt: null }],
    ])('are rejected for %s in %.60j', async (property, given) => {
      const { token } = await makeUser(test);
      const { status, body } = await post(given, token);
      expect(status).toBe(400);
      expect(body.message.startsWith(`organization.${property} `)).toBe(true);
      expect((await list(token)).body.totalCount).toBe(0);
    });

    it('are immediately accessible to every token of their creator', async () => {
      const { id, token } = await makeUser(test);
      const other = tokenOf(test, id, ['all.User'], 1000);
      expect((await list(other)).body.totalCount).toBe(0);
      const org = await makeOrg(test, token);
      expect((await list(other)).body.totalCount).toBe(1);
      expect((await test.client.get(`/orgs/${org.id}`, { token: other })).status).toBe(200);
    });

    it.each<[string, number, number]>([
      ['all.User', 200, 201],
      ['all.User.read', 200, 403],
      ['orgs.get', 200, 403],
      ['orgs.post', 403, 201],
      ['orgs.*', 200, 201],
      ['org.get', 403, 403],
      ['all.Organization', 403, 403],
      ['all.Application', 403, 403],
    ])('with the scope %s return %i when read and %i when created', async (scope, read, made) => {
      const { id } = await makeUser(test);
      const token = tokenOf(test, id, [scope]);
      expect((await list(token)).status).toBe(read);
      expect((await post({ name: 'n' }, token)).status).toBe(made);
    });
  });

  describe('in a list', () => {
    it('are those in which the caller has at least the role view', async () => {
      const owner = await makeUser(test);
      const org = await makeOrg(test, owner.token);
      await makeOrg(test, (await makeUser(test)).token);
      for (const role of ['view', 'collaborate', 'edit', 'admin'] as const) {
        const { token } = await makeMember(test, org.id, role);
        expect((await list(token)).body).toMatchObject({ items: [{ id: org.id }], totalCount: 1 });
      }
      const { token } = await makeMember(test, org.id, 'none', {
        applicationRoles: [{ resourceId: newId(), role: 'view' }],
      });
      expect((await list(token)).body).toMatchObject({ items: [], totalCount: 0 });
      expect((await test.client.get('/orgs')).status).toBe(401);
    });

    it('can be sorted, paged and filtered', async () => {
      const { token } = await makeUser(test);
      const made = [];
      for (const name of ['b', 'a', '100%']) made.push(await makeOrg(test, token, { name }));
      const ids = made.map(({ id }) => id);
      expect((await list(token)).body).toEqual({
        items: expect.any(Array),
        count: 3,
        totalCount: 3,
        page: 0,
        perPage: 100,
        sortField: 'name',
        sortDirection: 'asc',
      });
      expect(namesOf((await list(token)).body)).toEqual(['100%', 'a', 'b']);
      for (const sortField of ['id', 'creationDate', 'lastUpdated']) {
        const up = await list(token, `?sortField=${sortField}`);
        const down = await list(token, `?sortField=${sortField}&sortDirection=desc`);
        expect(up.body.items.map(({ id }: { id: string }) => id)).toEqual(ids);
        expect(down.body.items.map(({ id }: { id: string }) => id)).toEqual(ids.toReversed());
      }
      expect((await list(token, '?page=1&perPage=2')).body).toMatchObject({ count: 1, totalCount: 3 });
      expect((await list(token, '?page=9')).body).toMatchObject({ items: [], count: 0, totalCount: 3 });
      expect(namesOf((await list(token, '?filter=100%25')).body)).toEqual(['100%']);
      expect(namesOf((await list(token, '?filter=?')).body)).toEqual(['a', 'b']);
      expect((await list(token, '?filter=A&filterField=name')).body).toMatchObject({
        totalCount: 1,
        filterField: 'name',
        filter: 'A',
      });
    });

    it.each([
      'sortField=ownerId',
      'sortDirection=up',
      'page=-1',
      'perPage=1001',
      'filterField=description',
      'summaryInclude=fooCount',
      'summaryExclude=__proto__',
    ])('reject ?%s', async (query) => {
      const { token } = await makeUser(test);
      const { status, body } = await list(token, `?${query}`);
      expect({ status, type: body.type }).toEqual({ status: 400, type: 'Validation' });
      expect(body.message.startsWith(query.split('=')[0]!)).toBe(true);
    });
  });

  it('include their members by email address, with roles and without secrets', async () => {
    const admin = await makeUser(test, {
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: `${uniqueName('b')}@example.com`,
    });
    const org = await makeOrg(test, admin.token);
    const application = await makeApplication(test, admin.token, { orgId: org.id });
    const applicationRoles = [{ resourceId: application.id as string, role: 'view' as const }];
    const guest = await makeUser(test, { email: `${uniqueName('a')}@example.com`, twoFactorKey: 'sealed' });
    await test.dataSource.query(
      "INSERT INTO org_members (org_id, user_id, role, application_roles, creation_date) VALUES ($1, $2, 'none', $3, now())",
      [org.id, guest.id, JSON.stringify(applicationRoles)],
    );
    const members = [
      view(guest, 'none', { applicationRoles, twoFactorAuthEnabled: true }),
      view(admin, 'admin', { firstName: 'Ada', lastName: 'Lovelace' }),
    ];
    const { body } = await test.client.get(`/orgs/${org.id}`, { token: admin.token });
    expect(body.members).toEqual(members);
    expect((await list(admin.token)).body.items[0].members).toEqual(members);
    expect(JSON.stringify(body)).not.toMatch(/sealed|argon2/);
  });

  it('count their own applications and members', async () => {
    const { token } = await makeUser(test);
    const [one, two] = [await makeOrg(test, token, { name: 'a' }), await makeOrg(test, token, { name: 'b' })];
    const [first] = [await makeApplication(test, token, { orgId: one.id })];
    await makeApplication(test, token, { orgId: one.id });
    await makeApplication(test, token);
    await makeMember(test, one.id, 'view');
    await makeMember(test, one.id, 'none');
    const summaries = async () =>
      (await list(token)).body.items.map(({ summary }: { summary: object }) => summary);
    expect(await summaries()).toEqual([usual({ appCount: 2, memberCount: 3 }), usual()]);
    expect((await test.client.delete(`/applications/${first.id}`, { token })).status).toBe(200);
    expect(await summaries()).toEqual([usual({ appCount: 1, memberCount: 3 }), usual()]);
    const asked = await test.client.get(
      `/orgs/${one.id}?summaryInclude=appCount,memberCount,payloadCount&summaryExclude=memberCount`,
      { token },
    );
    expect(asked.body.summary).toEqual({ appCount: 1, payloadCount: {} });
    const fixed = await list(token, '?summaryInclude=deviceCount');
    expect(fixed.body.items[1]).toMatchObject({ id: two.id, summary: { deviceCount: 0 } });
  });
});
