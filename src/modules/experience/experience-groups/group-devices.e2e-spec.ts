import fc from 'fast-check';
import { statementsOf } from '../../../../test/suites/statements.js';
import { suite } from '../../../../test/setup/suite.js';
import { Database } from '../../../platform/database/database.js';
import { newId } from '../../../platform/repositories/resource.js';
import { GroupDevicesRepository } from './group-devices.repository.js';

const { test, user, application } = suite();
const TOTAL = 'includeTotalDeviceCount';
const COUNTED = `includeDirectDeviceCount=true&${TOTAL}=true`;

interface Tag {
  key: string;
  value: string;
}
interface PlainDevice {
  id: string;
  tags: readonly Tag[];
  isDeleted: boolean;
}
interface PlainGroup {
  id: string;
  parentId: string | null;
  deviceIds: readonly string[];
  deviceTags: readonly Partial<Tag>[];
  /** A device query and an equivalent predicate. */
  query?: { asked: object; holds: (device: PlainDevice) => boolean };
}

const KEYS = ['site', 'zone'];
const VALUES = ['north', 'south'];

const insertDevices = (devices: readonly PlainDevice[]) =>
  test.dataSource.query(
    `INSERT INTO devices (id, application_id, creation_date, last_updated, name, keep_duplicates, tags, attributes, device_class, deleted_at)
     SELECT d.id, $1, now(), now(), 'd-' || d.id, false, d.tags, '[]', 'standalone', CASE WHEN d."isDeleted" THEN now() END
     FROM jsonb_to_recordset($2) d (id text, tags jsonb, "isDeleted" boolean)`,
    [application.id, JSON.stringify(devices)],
  );

async function insertGroups(groups: readonly PlainGroup[]): Promise<void> {
  const rows = groups.map(({ query, ...group }) => ({
    ...group,
    query: query && JSON.stringify(query.asked),
  }));
  await test.dataSource.query(
    `INSERT INTO experience_groups (id, creation_date, last_updated, application_id, name, parent_id, group_tags, device_tags, device_query_json)
     SELECT g.id, now(), now(), $1, g.id, g."parentId", '{}', g."deviceTags", g.query
     FROM jsonb_to_recordset($2) g (id text, "parentId" text, "deviceTags" jsonb, query text)`,
    [application.id, JSON.stringify(rows)],
  );
  await test.dataSource.query(
    `INSERT INTO experience_group_devices (group_id, device_id)
     SELECT g.id, jsonb_array_elements_text(g."deviceIds") FROM jsonb_to_recordset($1) g (id text, "deviceIds" jsonb)`,
    [JSON.stringify(rows)],
  );
}

/** Computes with sets the IDs of the devices of a group itself. */
function aboutOf({ deviceIds, deviceTags, query }: PlainGroup, devices: readonly PlainDevice[]): Set<string> {
  const hasTag = ({ tags }: PlainDevice) =>
    deviceTags.some(({ key, value }) =>
      tags.some((tag) => (key ?? tag.key) === tag.key && (value ?? tag.value) === tag.value),
    );
  const found = devices.filter(
    (device) => deviceIds.includes(device.id) || hasTag(device) || query?.holds(device),
  );
  return new Set(found.filter(({ isDeleted }) => !isDeleted).map(({ id }) => id));
}

/** Computes with sets the expected counts of a group. */
function countsOf(group: PlainGroup, groups: readonly PlainGroup[], devices: readonly PlainDevice[]) {
  const total = new Set<string>();
  const add = (one: PlainGroup) => {
    for (const id of aboutOf(one, devices)) total.add(id);
    groups.filter(({ parentId }) => parentId === one.id).forEach(add);
  };
  add(group);
  return { directDeviceCount: aboutOf(group, devices).size, totalDeviceCount: total.size };
}

const pathOf = (id: string) => `/applications/${application.id}/experience/groups/${id}`;

async function counted(id: string) {
  const { status, body } = await test.client.get(`${pathOf(id)}?${COUNTED}`, { token: user.token });
  expect(status).toBe(200);
  const { directDeviceCount, totalDeviceCount } = body;
  return { directDeviceCount, totalDeviceCount };
}

const tag = fc.record({ key: fc.constantFrom(...KEYS), value: fc.constantFrom(...VALUES) });
const filter = fc.record(
  { key: fc.constantFrom(...KEYS), value: fc.constantFrom(...VALUES) },
  { requiredKeys: [] },
);
const query = fc.oneof(
  tag.map(({ key, value }) => ({
    asked: { tags: { [key]: value } },
    holds: ({ tags }: PlainDevice) => tags.some((one) => one.key === key && one.value === value),
  })),
  tag.map(({ key }) => ({
    asked: { tags: { $ne: { $tagKey: key } } },
    holds: ({ tags }: PlainDevice) => !tags.some((one) => one.key === key),
  })),
  fc.constantFrom('0', '7', 'f').map((last) => ({
    asked: { $or: [{ name: { $endsWith: last } }] },
    holds: ({ id }: PlainDevice) => id.endsWith(last),
  })),
  fc.constantFrom('$and', '$nor').map((operator) => ({
    asked: { [operator]: [] },
    holds: () => operator === '$and',
  })),
);
const world = fc.record({
  devices: fc.array(fc.record({ tags: fc.array(tag, { maxLength: 3 }), isDeleted: fc.boolean() }), {
    minLength: 6,
    maxLength: 12,
  }),
  groups: fc.array(
    fc.record({
      parent: fc.option(fc.nat(10)),
      devices: fc.array(fc.nat(20), { maxLength: 3 }),
      deviceTags: fc.array(filter, { maxLength: 2 }),
      query: fc.option(query, { nil: undefined }),
    }),
    { minLength: 3, maxLength: 6 },
  ),
});

it('Device counts of groups match a set-based model, each device once, including descendant groups', async () => {
  let telling = 0;
  await fc.assert(
    fc.asyncProperty(world, async (drawn) => {
      for (const table of ['experience_groups', 'devices'])
        await test.dataSource.query(`DELETE FROM ${table} WHERE application_id = $1`, [application.id]);
      const devices = drawn.devices.map((one) => ({ ...one, id: newId() }));
      const groups: PlainGroup[] = [];
      for (const { parent, devices: named, deviceTags, query: asked } of drawn.groups) {
        const above = parent === null || groups.length === 0 ? null : groups[parent % groups.length]!.id;
        const deviceIds = new Set(named.flatMap((n) => devices[n]?.id ?? []));
        groups.push({ id: newId(), parentId: above, deviceIds: [...deviceIds], deviceTags, query: asked });
      }
      await insertDevices(devices);
      await insertGroups(groups);
      for (const group of groups) {
        const expected = countsOf(group, groups, devices);
        if (expected.directDeviceCount < expected.totalDeviceCount) telling++;
        expect(await counted(group.id)).toEqual(expected);
      }
    }),
    { numRuns: 25 },
  );
  expect(telling).toBeGreaterThan(5);
}, 60_000);

describe('Counts with 1,000 groups and 10,000 devices', () => {
  const devices: PlainDevice[] = [];
  const groups: PlainGroup[] = [];

  beforeEach(async () => {
    devices.splice(0, devices.length);
    for (let n = 0; n < 10_000; n++) {
      const tags = n % 3 === 0 ? [{ key: 'site', value: `s-${n % 500}` }] : [];
      devices.push({ id: newId(), tags, isDeleted: n % 50 === 7 });
    }
    groups.splice(0, groups.length);
    for (let n = 0; n < 1000; n++) {
      const parentId = n === 0 ? null : groups[Math.floor((n - 1) / 3)]!.id;
      const value = `s-${n % 500}`;
      groups.push({
        id: newId(),
        parentId,
        deviceIds: [n * 7, n * 7 + 1].map((one) => devices[one % 10_000]!.id),
        deviceTags: n % 2 === 0 ? [{ key: 'site', value }] : [],
        query:
          n % 5 === 0
            ? {
                asked: { tags: { site: value } },
                holds: ({ tags }) => tags.some((one) => one.value === value),
              }
            : undefined,
      });
    }
    await insertDevices(devices);
    await insertGroups(groups);
  });

  /** Returns the count of a group and its descendants without a request. */
  const totalOf = ({ id }: PlainGroup) =>
    test.app
      .get(GroupDevicesRepository)
      .count({ id: application.id, ownerId: user.id, ownerType: 'user' }, id, 'whole', TOTAL);

  it('are correct and take two search statements each', async () => {
    const search = jest.spyOn(test.app.get(Database), 'search');
    for (const group of [0, 1, 5, 40, 333, 999].map((n) => groups[n]!)) {
      search.mockClear();
      let total = 0;
      const statements = await statementsOf(async () => (total = await totalOf(group)));
      expect(total).toBe(countsOf(group, groups, devices).totalDeviceCount);
      expect(statements.filter((text) => text.includes('experience_groups'))).toHaveLength(2);
      const sought = { owner: user.id, parameter: TOTAL };
      expect(search.mock.calls.map(([, by]) => by)).toEqual([sought, sought]);
    }
  }, 30_000);

  it('are refused when there are too many queries, and never wrong', async () => {
    await test.dataSource.query(
      `UPDATE experience_groups SET device_query_json = '{"name":"' || repeat('x', 300) || id || '"}' WHERE application_id = $1`,
      [application.id],
    );
    await expect(totalOf(groups[0]!)).rejects.toThrow(
      `${TOTAL} cannot be evaluated: the groups have more than 1000 queries or 262144 characters of queries`,
    );
    const last = { ...groups[999]!, query: undefined };
    expect(await totalOf(last)).toBe(aboutOf(last, devices).size);
  });
});
