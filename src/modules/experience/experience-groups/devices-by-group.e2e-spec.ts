import fc from 'fast-check';
import { suite } from '../../../../test/setup/suite.js';
import { makeUser, makeApplication } from '../../../../test/make/make.js';
import { Database } from '../../../platform/database/database.js';

const { test, user, application } = suite();

async function make(path: string, body: object): Promise<any> {
  const url = `/applications/${application.id}/${path}`;
  const answer = await test.client.post(url, body, { token: user.token });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
}

/** Returns the names of the devices, or the subjects of the events, that match a query. */
async function found(list: 'devices' | 'events', query: object): Promise<string[]> {
  const text = encodeURIComponent(JSON.stringify(query));
  const url = `/applications/${application.id}/${list}?perPage=1000&query=${text}`;
  const { status, body } = await test.client.get(url, { token: user.token });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.items.map((item: any) => item.name ?? item.subject).sort();
}

it('Devices and their events can be queried by groups and users, with operators on sets, including descendant groups', async () => {
  const tagSets = [[], [{ key: 'a', value: '1' }], [{ key: 'a', value: '2' }], [{ key: 'b', value: '1' }]];
  const devices = await Promise.all(tagSets.map((tags, i) => make('devices', { name: `d${i}`, tags })));
  for (const { id, name } of devices) await make('events', { level: 'info', subject: name, deviceId: id });
  await make('events', { level: 'info', subject: 'alone' });
  const asked = [[], [{ key: 'a', value: '1' }], [{ key: 'a' }], [{ value: '1' }]];
  const queries: { query?: object; finds: readonly string[] }[] = [
    { finds: [] },
    { query: { tags: { a: '2' } }, finds: ['d2'] },
    { query: { name: { $in: ['d0', 'd3'] } }, finds: ['d0', 'd3'] },
    { query: { $nor: [{ tags: { $tagKey: 'a' } }, { name: 'd0' }] }, finds: ['d3'] },
  ];
  const group = (
    name: string,
    parentId: string | undefined,
    ids: string[],
    deviceTags: object[],
    query?: object,
  ) =>
    make('experience/groups', {
      name,
      deviceIds: ids,
      deviceTags,
      ...(parentId ? { parentId } : {}),
      ...(query ? { deviceQueryJson: JSON.stringify(query) } : {}),
    });
  const shapes = fc.sample(
    fc.array(
      fc.record({
        above: fc.nat({ max: 4 }),
        devices: fc.subarray([0, 1, 2, 3], { maxLength: 2 }),
        tags: fc.nat({ max: 3 }),
        query: fc.nat({ max: 3 }),
      }),
      { minLength: 5, maxLength: 5 },
    ),
    1,
  )[0]!;
  const groups: { id: string; above: number; direct: Set<string> }[] = [];
  const meets = (tag: any, { key, value }: any) =>
    (key === undefined || tag.key === key) && (value === undefined || tag.value === value);
  for (const [i, shape] of shapes.entries()) {
    const above = shape.above < i ? shape.above : -1;
    const own = shape.devices.map((n) => devices[n].id as string);
    const { query, finds } = queries[shape.query]!;
    const { id } = await group(`g${i}`, groups[above]?.id, own, asked[shape.tags]!, query);
    const tagged = devices.filter(({ tags }) =>
      tags.some((tag: any) => asked[shape.tags]!.some((each) => meets(tag, each))),
    );
    const direct = new Set<string>([
      ...shape.devices.map((n) => `d${n}`),
      ...tagged.map(({ name }) => name),
      ...finds,
    ]);
    groups.push({ id, above, direct });
  }
  const isBelow = (i: number, top: number): boolean =>
    i === top || (groups[i]!.above >= 0 && isBelow(groups[i]!.above, top));
  const wholeOf = (tops: readonly number[]) => {
    const below = groups.filter((_, i) => tops.some((top) => isBelow(i, top)));
    return new Set(below.flatMap(({ direct }) => [...direct]));
  };
  const users: { id: string; groups: number[] }[] = [];
  for (const [i, own] of [[0], [1, 4], []].entries()) {
    const experienceGroupIds = own.map((n) => groups[n]!.id);
    const body = { email: `u${i}@example.com`, password: 'Battery-Staple-9', experienceGroupIds };
    users.push({ id: (await make('experience/users', body)).id, groups: own });
  }
  const all = devices.map(({ name }) => name as string);
  const expected = (set: ReadonlySet<string>) => all.filter((name) => set.has(name));
  const others = (set: ReadonlySet<string>) => all.filter((name) => !set.has(name));
  for (const [i, { id }] of groups.entries()) {
    const set = wholeOf([i]);
    expect(await found('devices', { experienceGroupId: id })).toEqual(expected(set));
    const counted = `/applications/${application.id}/experience/groups/${id}?includeTotalDeviceCount=true`;
    const { body } = await test.client.get(counted, { token: user.token });
    expect(body.totalDeviceCount).toBe(set.size);
    expect(await found('devices', { experienceGroupId: { $ne: id } })).toEqual(others(set));
    expect(await found('events', { experienceGroupId: id })).toEqual(expected(set));
    expect(await found('events', { experienceGroupId: { $ne: id } })).toEqual(['alone', ...others(set)]);
  }
  for (const { id, groups: own } of users) {
    const set = wholeOf(own);
    expect(await found('devices', { experienceUserId: id })).toEqual(expected(set));
    expect(await found('events', { experienceUserId: { $in: [id] } })).toEqual(expected(set));
  }
  const grouped = wholeOf(groups.map((_, i) => i));
  const used = wholeOf(users.flatMap((each) => each.groups));
  // Members of a group are also members of its descendants.
  expect(await found('devices', { experienceGroupId: null })).toEqual(others(grouped));
  expect(await found('devices', { experienceUserId: null })).toEqual(others(used));
  expect(await found('devices', { experienceGroupId: { $in: groups.map(({ id }) => id) } })).toEqual(
    expected(grouped),
  );
  const stranger = await makeUser(test);
  const other = await makeApplication(test, stranger.token);
  const path = `/applications/${other.id}/devices?query=${encodeURIComponent(JSON.stringify({ experienceGroupId: groups[0]!.id }))}`;
  await test.client.post(
    `/applications/${other.id}/devices`,
    { name: 'x', tags: tagSets[1] },
    { token: stranger.token },
  );
  expect((await test.client.get(path, { token: stranger.token })).body.items).toEqual([]);
});

describe('A group with a device query', () => {
  const list = (query: object) =>
    test.client.get(
      `/applications/${application.id}/devices?query=${encodeURIComponent(JSON.stringify(query))}`,
      { token: user.token },
    );
  let groupId: string;
  let devices: { id: string; name: string }[];

  beforeEach(async () => {
    devices = [];
    for (const name of ['north 1', 'north 2', 'south']) devices.push(await make('devices', { name }));
    const deviceQueryJson = JSON.stringify({ name: { $startsWith: 'north' } });
    const above = await make('experience/groups', { name: 'all' });
    groupId = above.id;
    await make('experience/groups', { name: 'north', parentId: groupId, deviceQueryJson });
  });

  it('is resolved in bulk commands, updates, device name and value queries, and event updates', async () => {
    const by = { experienceGroupId: groupId };
    const text = encodeURIComponent(JSON.stringify(by));
    const path = `/applications/${application.id}`;
    const token = { token: user.token };
    const sent = await test.client.post(`${path}/devices/command`, { name: 'blink', deviceQuery: by }, token);
    expect(sent.status).toBe(200);
    const histories = devices.map(({ id }) => test.client.get(`${path}/devices/${id}/command`, token));
    expect((await Promise.all(histories)).map(({ body }) => body.length)).toEqual([1, 1, 0]);
    const named = await test.client.get(`${path}/devices/deviceNames?query=${text}`, token);
    expect(named.body.deviceSummary).toHaveLength(2);
    const states = await test.client.get(`${path}/devices/compositeState?query=${text}`, token);
    expect(states.body.totalCount).toBe(2);
    for (const { id, name } of devices) await make('events', { level: 'info', subject: name, deviceId: id });
    const gravest = await test.client.get(`${path}/events/mostRecentBySeverity?query=${text}`, token);
    expect(gravest.body.newCount).toBe(2);
    const removed = await test.client.post(`${path}/events/delete`, by, token);
    expect(removed.body).toEqual({ removed: 2 });
    const gone = await test.client.post(`${path}/devices/delete`, { query: { $nor: [by] } }, token);
    expect(gone.body).toMatchObject({ removed: 1 });
  });

  it('is read with one statement and its devices with another', async () => {
    const [groups, page] = (['search', 'list'] as const).map((name) =>
      jest.spyOn(test.app.get(Database), name as 'search'),
    );
    expect((await list({ experienceGroupId: { $ne: groupId } })).body.totalCount).toBe(1);
    const texts = [groups!, page!].map(({ mock }) => mock.calls.map(([{ text }]) => text));
    expect(texts).toEqual([[expect.stringContaining('device_query_json')], [expect.any(String)]]);
    await list({ name: 'north 1' });
    expect([groups!, page!].map(({ mock }) => mock.calls.length)).toEqual([1, 2]);
  });

  it('causes an error with its name when its query is no longer valid', async () => {
    await test.dataSource.query(
      `UPDATE experience_groups SET device_query_json = '{"experienceGroupId":"x"}' WHERE application_id = $1 AND parent_id = $2`,
      [application.id, groupId],
    );
    const { status, body } = await list({ experienceGroupId: { $ne: groupId } });
    expect(status).toBe(400);
    expect(body.message).toMatch(
      /^query cannot be evaluated: the deviceQueryJson of the group [0-9a-f]{24}\.experienceGroupId is not an attribute that can be queried$/,
    );
  });

  it('can occur at most 20 times in a query', async () => {
    const places = (count: number) => ({
      $or: Array.from({ length: count }, () => ({ experienceGroupId: groupId })),
    });
    expect((await list(places(20))).body.totalCount).toBe(2);
    expect((await list(places(21))).body).toEqual({
      type: 'Validation',
      message: 'query refers to groups and users in more than 20 places',
    });
  });
});
