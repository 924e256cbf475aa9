import {
  makeApplication,
  makeMember,
  makeOrg,
  makeUser,
  tokenOf,
  uniqueName,
} from '../../../../test/make/make.js';
import { makeApiToken } from '../../../../test/make/sign-in.js';
import { statementCounter } from '../../../../test/suites/statements.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';

const PARENT = '0123456789abcdef01234567';

const { test } = suite();
let send: ReturnType<typeof statementCounter>;
beforeAll(() => {
  send = statementCounter(test);
});

const add = (token: string, itemType: string, itemId: string, more: object = {}) =>
  test.client.post('/me/recentItems', { itemType, itemId, ...more }, { token });
const get = (token: string, query: string) => test.client.get(`/me/recentItems?${query}`, { token });
const idsOf = ({ body }: { body: any }) => body.items.map(({ id }: { id: string }) => id);

/** Creates applications in the user's sandbox and returns them, oldest first. */
async function makeApplications(token: string, count: number): Promise<any[]> {
  const made = [];
  for (let i = 0; i < count; i++) made.push(await makeApplication(test, token));
  return made;
}

describe('Recent items', () => {
  it('are initially empty for every type', async () => {
    const { token } = await makeUser(test);
    for (const itemType of ['application', 'device', 'flow', 'dashboard', 'organization']) {
      const { status, body } = await get(token, `itemType=${itemType}`);
      expect({ status, body }).toEqual({ status: 200, body: { itemType, items: [] } });
    }
  });

  it('are sorted newest first; an item added again moves to the top', async () => {
    const { token } = await makeUser(test);
    const [one, two, three] = await makeApplications(token, 3);
    for (const { id } of [one, two, three]) await add(token, 'application', id);
    const { status, body } = await add(token, 'application', one.id.toUpperCase());
    expect({ status, body }).toEqual({
      status: 200,
      body: { itemType: 'application', items: [one, three, two].map(({ id, name }) => ({ id, name })) },
    });
    expect((await get(token, 'itemType=application')).body).toEqual(body);
  });

  it('have a separate list for each parent', async () => {
    const { token } = await makeUser(test);
    const [one, two] = await makeApplications(token, 2);
    await add(token, 'application', one.id);
    const { body } = await add(token, 'application', two.id, { parentId: PARENT.toUpperCase() });
    expect(body).toEqual({
      itemType: 'application',
      parentId: PARENT,
      items: [{ id: two.id, name: two.name }],
    });
    expect(idsOf(await get(token, 'itemType=application'))).toEqual([one.id]);
    expect(idsOf(await get(token, `itemType=application&parentId=${PARENT.toUpperCase()}`))).toEqual([
      two.id,
    ]);
  });

  it('can be organizations, and are separate for each user', async () => {
    const { token } = await makeUser(test);
    const org = await makeOrg(test, token);
    const member = await makeMember(test, org.id, 'view');
    expect((await add(token, 'organization', org.id)).body.items).toEqual([{ id: org.id, name: org.name }]);
    expect((await get(member.token, 'itemType=organization')).body.items).toEqual([]);
    expect((await get(token, 'itemType=application')).body.items).toEqual([]);
  });

  it('have their current names, and exclude deleted and inaccessible items', async () => {
    const admin = await makeUser(test);
    const org = await makeOrg(test, admin.token);
    const application = await makeApplication(test, admin.token, { orgId: org.id });
    const { token, id } = await makeMember(test, org.id, 'view');
    const [own, gone] = await makeApplications(token, 2);
    await add(token, 'organization', org.id);
    for (const { id: itemId } of [application, own, gone]) await add(token, 'application', itemId);
    const name = uniqueName('renamed');
    await test.client.patch(`/applications/${own.id}`, { name }, { token });
    await test.client.delete(`/applications/${gone.id}`, { token });
    const { items } = (await get(token, 'itemType=application')).body;
    expect(items).toEqual([
      { id: own.id, name },
      { id: application.id, name: application.name },
    ]);
    const removed = await test.client.delete(`/orgs/${org.id}`, { token: admin.token });
    expect(removed.status).toBe(200);
    expect(idsOf(await get(token, 'itemType=application'))).toEqual([own.id]);
    expect(idsOf(await get(token, 'itemType=organization'))).toEqual([]);
    expect(await test.dataSource.query('SELECT FROM recent_items WHERE user_id = $1', [id])).toHaveLength(4);
  });

  it('exclude items inaccessible to a capped token', async () => {
    const { token } = await makeUser(test);
    const org = await makeOrg(test, token);
    const [own, shared] = [
      await makeApplication(test, token),
      await makeApplication(test, token, { orgId: org.id }),
    ];
    for (const { id } of [own, shared]) await add(token, 'application', id);
    const capped = await makeApiToken(test, token, { orgRoles: [{ orgId: org.id, role: 'none' }] });
    expect(idsOf(await get(capped.token, 'itemType=application'))).toEqual([own.id]);
    expect((await add(capped.token, 'application', shared.id)).status).toBe(400);
    expect((await add(capped.token, 'organization', org.id)).status).toBe(400);
  });

  it('are limited to ten, even with concurrent requests', async () => {
    const { id, token } = await makeUser(test);
    const made = await makeApplications(token, 12);
    for (const application of made) await add(token, 'application', application.id);
    const newest = made.map((application) => application.id).reverse();
    expect(idsOf(await get(token, 'itemType=application'))).toEqual(newest.slice(0, 10));
    for (const parentId of [PARENT, newId(), newId(), newId()]) {
      const answers = await Promise.all(
        newest.map((itemId) => add(token, 'application', itemId, { parentId })),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    }
    const rows = await test.dataSource.query(
      'SELECT count(*)::int AS kept FROM recent_items WHERE user_id = $1 GROUP BY parent_id',
      [id],
    );
    expect(rows).toEqual(Array(5).fill({ kept: 10 }));
  });

  it.each(['application', 'organization', 'device', 'flow', 'dashboard'])(
    'reject a %s that the caller cannot view',
    async (itemType) => {
      const theirs = await makeUser(test);
      const org = await makeOrg(test, theirs.token);
      const application = await makeApplication(test, theirs.token, { orgId: org.id });
      const { token } = await makeMember(test, org.id, 'none');
      for (const itemId of [application.id, org.id, newId()]) {
        const { status, body } = await add(token, itemType, itemId);
        expect({ status, body }).toEqual({
          status: 400,
          body: {
            type: 'Validation',
            message: `recentItem.itemId does not match any ${itemType} that you can access`,
          },
        });
      }
      expect((await get(token, `itemType=${itemType}`)).body.items).toEqual([]);
    },
  );

  it('reject a deleted application', async () => {
    const { token } = await makeUser(test);
    const { id } = await makeApplication(test, token);
    await test.client.delete(`/applications/${id}`, { token });
    expect((await add(token, 'application', id)).status).toBe(400);
  });

  it.each([
    ['itemType', { itemId: PARENT }],
    ['itemType', { itemType: 'user', itemId: PARENT }],
    ['itemId', { itemType: 'application' }],
    ['itemId', { itemType: 'application', itemId: 'x' }],
    ['parentId', { itemType: 'application', itemId: PARENT, parentId: '' }],
    ['name', { itemType: 'application', itemId: PARENT, name: 'x' }],
  ])('reject an invalid %s in %j', async (property, body) => {
    const { token } = await makeUser(test);
    const answer = await test.client.post('/me/recentItems', body, { token });
    expect(answer.status).toBe(400);
    expect(answer.body.message.startsWith(`recentItem.${property} `)).toBe(true);
  });

  it.each([
    '',
    'itemType=',
    'itemType=user',
    'itemType=application&parentId=x',
    'itemType=flow&itemType=flow',
  ])('reject ?%s', async (query) => {
    const { token } = await makeUser(test);
    expect((await get(token, query)).status).toBe(400);
  });

  it('require a token with one of their scopes', async () => {
    const { id, token } = await makeUser(test);
    const application = await makeApplication(test, token);
    expect((await test.client.get('/me/recentItems?itemType=application')).status).toBe(401);
    expect((await add('garbage', 'application', application.id)).status).toBe(401);
    for (const [scope, read, written] of [
      ['me.fetchRecentItems', 200, 403],
      ['me.addRecentItem', 403, 200],
      ['only.User.bounded', 200, 200],
      ['all.User.read', 200, 403],
      ['all.Application', 403, 403],
    ] as const) {
      const limited = tokenOf(test, id, [scope]);
      const statuses = [
        (await get(limited, 'itemType=application')).status,
        (await add(limited, 'application', application.id)).status,
      ];
      expect({ scope, statuses }).toEqual({ scope, statuses: [read, written] });
    }
  });
});

describe('GET /me with includeRecent', () => {
  it('returns applications, dashboards and organizations, with one additional statement', async () => {
    const { token } = await makeUser(test);
    const org = await makeOrg(test, token);
    const [one, two] = await makeApplications(token, 2);
    for (const { id } of [one, two]) await add(token, 'application', id);
    await add(token, 'application', one.id, { parentId: org.id });
    await add(token, 'organization', org.id);
    const plain = await send('GET', '/me', token);
    expect(plain.body).not.toHaveProperty('recentApplications');
    expect(plain.statements).toHaveLength(1);
    const { body, statements } = await send('GET', '/me?includeRecent=true', token);
    expect(body).toMatchObject({
      recentApplications: {
        itemType: 'application',
        items: [two, one].map(({ id, name }) => ({ id, name })),
      },
      recentDashboards: { itemType: 'dashboard', items: [] },
      recentOrganizations: { itemType: 'organization', items: [{ id: org.id, name: org.name }] },
    });
    expect(statements).toHaveLength(2);
    const changed = await test.client.patch('/me?includeRecent=1', { firstName: 'Ada' }, { token });
    expect(changed.body).toMatchObject({
      firstName: 'Ada',
      recentApplications: body.recentApplications,
    });
  });
});
