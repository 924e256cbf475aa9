import {
  makeApplication,
  makeMember,
  makeOrg,
  PASSWORD,
  tokenOf,
  uniqueName,
} from '../../../../test/make/make.js';
import { statementCounter } from '../../../../test/suites/statements.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';

const { test, user, application } = suite();
let base: string;
let path: string;
beforeEach(() => {
  base = `/applications/${application.id}`;
  path = `${base}/experience/groups`;
});

const create = (body: object = {}, token = user.token) =>
  test.client.post(path, { name: uniqueName('group'), ...body }, { token });
const patch = (id: string, body: object) => test.client.patch(`${path}/${id}`, body, { token: user.token });
const get = async (id: string) => (await test.client.get(`${path}/${id}`, { token: user.token })).body;
const remove = (id: string) => test.client.delete(`${path}/${id}`, { token: user.token });
const made = async (body: object = {}): Promise<string> => (await create(body)).body.id;
const namesIn = async (query: string) =>
  (await test.client.get(`${path}?${query}`, { token: user.token })).body.items.map(({ name }: any) => name);

async function device(of = base): Promise<string> {
  const { body } = await test.client.post(`${of}/devices`, { name: uniqueName() }, { token: user.token });
  return body.id;
}

async function endpoint(route: string): Promise<string> {
  const body = { method: 'get', route };
  return (await test.client.post(`${base}/experience/endpoints`, body, { token: user.token })).body.id;
}

async function experienceUser(of = base): Promise<string> {
  const body = { email: `${uniqueName()}@example.com`, password: PASSWORD };
  return (await test.client.post(`${of}/experience/users`, body, { token: user.token })).body.id;
}

/** Inserts a chain of nested groups in one statement and returns their IDs from the top. */
async function chainOf(length: number): Promise<string[]> {
  const ids = Array.from({ length }, newId);
  await test.dataSource.query(
    `INSERT INTO experience_groups (id, creation_date, last_updated, application_id, name, parent_id, group_tags, device_tags)
     SELECT i.id, now(), now(), $1, i.id, p.id, '{}', '[]'
     FROM unnest($2::text[]) WITH ORDINALITY i (id, n) LEFT JOIN unnest($2::text[]) WITH ORDINALITY p (id, n) ON p.n = i.n - 1`,
    [application.id, ids],
  );
  return ids;
}

describe('An experience group', () => {
  it('is created, returned, updated and deleted', async () => {
    const { status, body } = await create({ name: 'Operators' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      experienceGroupId: body.id,
      applicationId: application.id,
      creationDate: body.creationDate,
      lastUpdated: body.creationDate,
      name: 'Operators',
      ancestorIds: [],
      experienceUserIds: [],
      experienceEndpointIds: [],
      groupTags: {},
      deviceIds: [],
      deviceTags: [],
    });
    const changes = {
      description: 'Those at the gate',
      groupTags: { region: 'north' },
      deviceTags: [{ key: 'site', value: 'north' }, { key: 'zone' }],
      deviceQueryJson: '{"name":{"$startsWith":"pump"}}',
    };
    const changed = await patch(body.id, changes);
    expect(changed.body).toEqual({ ...body, ...changes, lastUpdated: expect.any(String) });
    expect(await get(body.id)).toEqual(changed.body);
    const cleared = await patch(body.id, { deviceQueryJson: null });
    expect(cleared.body).not.toHaveProperty('deviceQueryJson');
    expect((await remove(body.id)).body).toEqual({ success: true });
    expect((await remove(body.id)).status).toBe(404);
    expect((await patch(body.id, { experienceUserIds: [] })).status).toBe(404);
  });

  it('has users, endpoints and devices of the application, which are replaced, not merged', async () => {
    const users = [await experienceUser(), await experienceUser()].sort();
    const devices = [await device(), await device()].sort();
    const endpoints = [await endpoint('/a'), await endpoint('/b')].sort();
    const { body } = await create({
      experienceUserIds: users,
      deviceIds: devices.map((id) => id.toUpperCase()),
    });
    expect(body).toMatchObject({ experienceUserIds: users, deviceIds: devices });
    const asked = await patch(body.id, { experienceEndpointIds: endpoints });
    expect(asked.body).toMatchObject({ experienceUserIds: users, experienceEndpointIds: endpoints });
    const fewer = await patch(body.id, { experienceUserIds: [users[1], users[1]], deviceIds: [] });
    expect(fewer.body).toMatchObject({ experienceUserIds: [users[1]], deviceIds: [] });
    const renamed = await patch(body.id, { name: 'other' });
    expect(renamed.body).toMatchObject({ experienceUserIds: [users[1]], name: 'other' });
  });

  it.each(['experienceUserIds', 'experienceEndpointIds', 'deviceIds', 'parentId'])(
    'rejects resources of another application in %s',
    async (name) => {
      const other = `/applications/${(await makeApplication(test, user.token)).id}`;
      const makers: Record<string, () => Promise<string>> = {
        experienceUserIds: () => experienceUser(other),
        deviceIds: () => device(other),
        parentId: async () => {
          const at = `${other}/experience/groups`;
          return (await test.client.post(at, { name: 'foreign' }, { token: user.token })).body.id;
        },
      };
      const foreign = (await makers[name]?.()) ?? newId();
      const given = { [name]: name === 'parentId' ? foreign : [foreign] };
      const id = await made();
      for (const refused of [await create(given), await patch(id, { name: 'changed', ...given })]) {
        expect(refused.status).toBe(400);
        expect(refused.body.message).toMatch(new RegExp(`^experienceGroup\\.${name} `));
      }
      expect((await get(id)).name).not.toBe('changed');
    },
  );

  it('loses deleted resources and regains a restored device', async () => {
    const [userId, deviceId, endpointId] = [await experienceUser(), await device(), await endpoint('/a')];
    const links = { experienceUserIds: [userId], experienceEndpointIds: [endpointId] };
    const id = await made({ ...links, deviceIds: [deviceId] });
    await test.client.delete(`${base}/experience/users/${userId}`, { token: user.token });
    await test.client.delete(`${base}/experience/endpoints/${endpointId}`, { token: user.token });
    await test.client.delete(`${base}/devices/${deviceId}`, { token: user.token });
    const lost = { experienceUserIds: [], experienceEndpointIds: [], deviceIds: [] };
    expect(await get(id)).toMatchObject(lost);
    expect((await patch(id, { deviceIds: [deviceId] })).status).toBe(400);
    const query = { id: deviceId };
    await test.client.post(`${base}/devices/restore`, { query }, { token: user.token });
    expect((await get(id)).deviceIds).toEqual([deviceId]);
  });

  it('returns its first 1,000 users and then rejects updates of that list', async () => {
    const id = await made();
    await test.dataSource.query(
      `WITH users AS (INSERT INTO experience_users
           (id, creation_date, last_updated, application_id, email, user_tags, password_last_updated, password_hash)
         SELECT left(md5($1 || n), 24), now(), now(), $1, n || '@example.com', '{}', now(), 'x' FROM generate_series(1, 1001) n
         RETURNING id)
       INSERT INTO experience_group_users (group_id, user_id) SELECT $2, u.id FROM users u`,
      [application.id, id],
    );
    expect((await get(id)).experienceUserIds).toHaveLength(1000);
    const refused = await patch(id, { experienceUserIds: [] });
    expect(refused.body.message).toBe(
      'experienceGroup.experienceUserIds cannot be set: there are more than 1000 users',
    );
    const listed = await test.client.get(`${base}/experience/users?experienceGroupId=${id}&perPage=1`, {
      token: user.token,
    });
    expect(listed.body.totalCount).toBe(1001);
  });

  it.each<[RegExp, object]>([
    [/^experienceGroup\.name must have at least 1/, { name: '' }],
    [
      /^experienceGroup\.groupTags has an invalid key: only letters, digits, _ and - are allowed$/,
      { groupTags: { 'a b': 'c' } },
    ],
    [/^experienceGroup\.deviceTags\.0\.key must/, { deviceTags: [{ key: 'a b' }] }],
    [/^experienceGroup\.deviceQueryJson must be valid JSON$/, { deviceQueryJson: '{' }],
    [/^experienceGroup\.deviceQueryJson must be a JSON object$/, { deviceQueryJson: '[]' }],
    [
      /^experienceGroup\.deviceQueryJson\.\$or\.0\.colour is not an attribute/,
      { deviceQueryJson: '{"$or":[{"colour":"red"}]}' },
    ],
    [
      /^experienceGroup\.deviceQueryJson\.experienceGroupId is not an attribute/,
      { deviceQueryJson: '{"experienceGroupId":null}' },
    ],
    [
      /^experienceGroup\.deviceQueryJson must have at most 8192/,
      { deviceQueryJson: JSON.stringify({ name: 'x'.repeat(8192) }) },
    ],
    [/^experienceGroup\.deviceIds must have at most 1000/, { deviceIds: Array(1001).fill(newId()) }],
    [/^experienceGroup\.parentId must/, { parentId: 'x' }],
    [/^experienceGroup\.totalDeviceCount is not a property/, { totalDeviceCount: 1 }],
  ])('is rejected: %s', async (message, body) => {
    const refused = await create(body);
    expect([refused.status, refused.body.type]).toEqual([400, 'Validation']);
    expect(refused.body.message).toMatch(message);
  });

  it('is read and updated with one statement each', async () => {
    const id = await made();
    const send = statementCounter(test);
    for (const [method, body] of [['GET'], ['PATCH', { name: 'a' }]] as const) {
      const { statements } = await send(method, `${path}/${id}`, user.token, body);
      expect(statements.filter((text) => text.includes('experience_groups'))).toHaveLength(1);
    }
  });
});

describe('The tree of experience groups', () => {
  it('returns the ancestors of a group, nearest first', async () => {
    const top = await made();
    const middle = await made({ parentId: top });
    const { body } = await create({ parentId: middle.toUpperCase() });
    expect(body).toMatchObject({ parentId: middle, ancestorIds: [middle, top] });
    const moved = await patch(body.id, { parentId: top });
    expect(moved.body).toMatchObject({ parentId: top, ancestorIds: [top] });
    const freed = await patch(body.id, { parentId: null });
    expect(freed.body.ancestorIds).toEqual([]);
    expect(freed.body).not.toHaveProperty('parentId');
  });

  it('rejects cycles', async () => {
    const top = await made();
    const middle = await made({ parentId: top });
    const bottom = await made({ parentId: middle });
    for (const parentId of [top, middle, bottom]) {
      const { status, body } = await patch(top, { parentId });
      const message = 'experienceGroup.parentId is the group itself or one of its descendants';
      expect([status, body.message]).toEqual([400, message]);
    }
  });

  it('rejects cycles from concurrent moves', async () => {
    const pairs = await Promise.all(Array.from({ length: 4 }, () => Promise.all([made(), made()])));
    for (const [a, b] of pairs) {
      const answers = await Promise.all([patch(a, { parentId: b }), patch(b, { parentId: a })]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
  });

  it('is at most 100 levels deep, including the descendants of a moved group', async () => {
    const chain = await chainOf(99);
    const message = 'experienceGroup.parentId would nest groups more than 100 levels deep';
    const last = await create({ parentId: chain.at(-1) });
    expect([last.status, last.body.ancestorIds?.length]).toEqual([201, 99]);
    expect((await create({ parentId: last.body.id })).body.message).toBe(message);
    const root = await made();
    await made({ parentId: root });
    expect((await patch(root, { parentId: chain.at(-1) })).body.message).toBe(message);
    expect((await patch(root, { parentId: chain.at(-2) })).status).toBe(200);
  });

  it('moves child groups to the parent of a deleted group', async () => {
    const top = await made();
    const middle = await made({ parentId: top });
    const below = [await made({ parentId: middle }), await made({ parentId: middle })];
    const deepest = await made({ parentId: below[0] });
    await remove(middle);
    for (const id of below) expect(await get(id)).toMatchObject({ parentId: top, ancestorIds: [top] });
    expect((await get(deepest)).ancestorIds).toEqual([below[0], top]);
    await remove(top);
    expect(await get(below[0]!)).toMatchObject({ ancestorIds: [] });
  });

  it('stays consistent while groups are deleted and others move below them', async () => {
    const chain = await chainOf(3);
    const movers = await Promise.all(chain.map(() => made()));
    const answers = await Promise.all(
      chain.flatMap((id, i) => [patch(movers[i]!, { parentId: id }), remove(id)]),
    );
    for (const { status } of answers) expect([200, 400]).toContain(status);
    for (const id of movers) expect(await get(id)).toMatchObject({ ancestorIds: [] });
  });
});

describe('The experience groups of an application', () => {
  it('are listed in pages, sorted and filtered', async () => {
    for (const name of ['pump b', 'valve', 'pump a']) await create({ name });
    expect(await namesIn('filter=PUMP*')).toEqual(['pump a', 'pump b']);
    const { body } = await test.client.get(`${path}?perPage=2&page=1`, { token: user.token });
    expect(body).toMatchObject({ count: 1, totalCount: 3, applicationId: application.id });
  });

  it.each<[string, object, string[]]>([
    ['the parent', { parentId: 'TOP' }, ['middle']],
    ['no parent', { parentId: null }, ['beside', 'top']],
    ['what is above', { ancestorId: 'TOP' }, ['bottom', 'middle']],
    ['what is not above', { ancestorId: { $ne: 'TOP' } }, ['beside', 'top']],
    ['nothing above', { ancestorId: null }, ['beside', 'top']],
    ['a user', { experienceUserId: 'USER' }, ['bottom']],
    ['other users', { experienceUserId: { $nin: ['USER'] } }, ['beside', 'middle', 'top']],
    ['no endpoint', { experienceEndpointId: null, name: 'top' }, ['top']],
    ['a tag', { groupTags: { region: 'north' } }, ['beside']],
    ['no tag', { groupTags: null, name: { $ne: 'top' } }, ['bottom', 'middle']],
  ])('can be queried by %s', async (_, query, names) => {
    const top = await made({ name: 'top' });
    const middle = await made({ name: 'middle', parentId: top });
    const userId = await experienceUser();
    await made({ name: 'bottom', parentId: middle, experienceUserIds: [userId] });
    await made({ name: 'beside', groupTags: { region: 'north' } });
    const asked = JSON.stringify(query).replace('TOP', top).replace('USER', userId);
    expect(await namesIn(`query=${encodeURIComponent(asked)}`)).toEqual(names);
  });

  it('require view to read and collaborate to write', async () => {
    const org = await makeOrg(test, user.token);
    const { id } = await makeApplication(test, user.token, { orgId: org.id });
    path = `/applications/${id}/experience/groups`;
    const statuses = await Promise.all(
      (['none', 'view', 'collaborate'] as const).map(async (role) => {
        const { token } = await makeMember(test, org.id, role);
        return [(await test.client.get(path, { token })).status, (await create({}, token)).status];
      }),
    );
    expect(statuses).toEqual([
      [404, 404],
      [200, 403],
      [200, 201],
    ]);
    const narrow = tokenOf(test, user.id, ['experienceGroups.get']);
    expect((await test.client.get(path, { token: narrow })).status).toBe(200);
    expect((await create({}, narrow)).status).toBe(403);
    expect((await test.client.get(path)).status).toBe(401);
  });
});
