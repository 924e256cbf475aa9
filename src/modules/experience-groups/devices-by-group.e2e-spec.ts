import fc from 'fast-check';
import { suite } from '../../../test/suite.js';
import { makeUser, makeApplication } from '../../../test/make.js';

const { test, user, application } = suite();

async function make(path: string, body: object): Promise<any> {
  const url = `/applications/${application.id}/${path}`;
  const answer = await test.client.post(url, body, { token: user.token });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
}

/** The names of the devices, or subjects of events, that a query finds. */
async function found(list: 'devices' | 'events', query: object): Promise<string[]> {
  const text = encodeURIComponent(JSON.stringify(query));
  const url = `/applications/${application.id}/${list}?perPage=1000&query=${text}`;
  const { status, body } = await test.client.get(url, { token: user.token });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.items.map((item: any) => item.name ?? item.subject).sort();
}

it('Devices and their events are found by groups and users, as sets say, through groups below', async () => {
  const tagSets = [[], [{ key: 'a', value: '1' }], [{ key: 'a', value: '2' }], [{ key: 'b', value: '1' }]];
  const devices = await Promise.all(tagSets.map((tags, i) => make('devices', { name: `d${i}`, tags })));
  for (const { id, name } of devices) await make('events', { level: 'info', subject: name, deviceId: id });
  await make('events', { level: 'info', subject: 'alone' });
  const asked = [[], [{ key: 'a', value: '1' }], [{ key: 'a' }], [{ value: '1' }]];
  const group = (name: string, parentId: string | undefined, ids: string[], deviceTags: object[]) =>
    make('experience/groups', { name, deviceIds: ids, deviceTags, ...(parentId ? { parentId } : {}) });
  const shapes = fc.sample(
    fc.array(
      fc.record({
        above: fc.nat({ max: 4 }),
        devices: fc.subarray([0, 1, 2, 3], { maxLength: 2 }),
        tags: fc.nat({ max: 3 }),
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
    const { id } = await group(`g${i}`, groups[above]?.id, own, asked[shape.tags]!);
    const tagged = devices.filter(({ tags }) =>
      tags.some((tag: any) => asked[shape.tags]!.some((each) => meets(tag, each))),
    );
    const direct = new Set<string>([...shape.devices.map((n) => `d${n}`), ...tagged.map(({ name }) => name)]);
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
  // Whoever is in a group is in those below it.
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
