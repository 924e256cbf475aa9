import fc from 'fast-check';
import { Database, type Statement } from '../../../platform/database/database.js';
import { newId } from '../../../platform/repositories/resource.js';
import { deviceToken, makeKey } from '../../../../test/make/device-tokens.js';
import { rowsReadBy } from '../../../../test/suites/plans.js';
import { suite } from '../../../../test/setup/suite.js';
import type { DeviceSelection } from './device-selection.js';
import {
  reachedIdsSql,
  reachSql,
  selectedDevices,
  selectionSql,
  wholeQuerySql,
} from './device-selection.columns.js';
import type { DeviceTag, TagFilter } from './device.schemas.js';

const { test, user, application } = suite();

const KEYS = ['site', 'zone'];
const VALUES = ['north', 'south', 'N'];
const ATTRIBUTES = ['flow', 'level'];
const CLASSES = ['standalone', 'gateway', 'system'] as const;
const COUNT = 12;

/** Device in the reference implementation. */
interface Plain {
  id: string;
  tags: readonly DeviceTag[];
  attributes: readonly string[];
  deviceClass: string;
  /** Systems above the device. */
  above: readonly string[];
}

const tag = fc.record({ key: fc.constantFrom(...KEYS), value: fc.constantFrom(...VALUES) });
const drawn = fc.record({
  tags: fc.array(tag, { maxLength: 3 }),
  attributes: fc.uniqueArray(fc.constantFrom(...ATTRIBUTES)),
  deviceClass: fc.constantFrom(...CLASSES),
  /** Index of the parent among the preceding systems, if any. */
  parent: fc.option(fc.nat(COUNT)),
});
const world = fc.array(drawn, { minLength: 1, maxLength: COUNT });
type Drawn = typeof world extends fc.Arbitrary<infer T> ? T : never;

const has = ({ tags }: Plain, { key, value }: TagFilter): boolean =>
  tags.some((one) => (key === undefined || one.key === key) && (value === undefined || one.value === value));

/** Query with its expected result. */
interface Query {
  query: object;
  holds: (device: Plain) => boolean;
}

const filter = fc.record(
  { key: fc.constantFrom(...KEYS), value: fc.constantFrom(...VALUES) },
  { requiredKeys: [] },
);
const simple: fc.Arbitrary<(ids: readonly string[]) => Query> = fc.oneof(
  fc.tuple(fc.constantFrom(...KEYS), fc.constantFrom(...VALUES)).map(([key, value]) => () => ({
    query: { tags: { [key]: value } },
    holds: (device: Plain) => has(device, { key, value }),
  })),
  fc.tuple(fc.constantFrom(...KEYS), fc.boolean()).map(([key, negated]) => () => ({
    query: { tags: { [negated ? '$ne' : '$eq']: { $tagKey: key } } },
    holds: (device: Plain) => has(device, { key }) !== negated,
  })),
  fc
    .tuple(fc.subarray(KEYS), fc.subarray(VALUES), fc.constantFrom('$in', '$nin'))
    .map(([keys, values, operator]) => () => ({
      query: { tags: { $tagKey: { $in: keys }, $tagValue: { [operator]: values } } },
      holds: ({ tags }: Plain) =>
        tags.some(({ key, value }) => keys.includes(key) && values.includes(value) === (operator === '$in')),
    })),
  fc.tuple(fc.constantFrom(...KEYS), fc.constantFrom(...VALUES)).map(([key, value]) => () => ({
    query: { tags: { [key]: null }, $or: [{ tags: { $tagValue: value } }, { tags: null }] },
    holds: (device: Plain) => !has(device, { key }) && (has(device, { value }) || device.tags.length === 0),
  })),
  fc.constantFrom(...ATTRIBUTES).map((name) => () => ({
    query: { attributeName: { $in: [name, 'none'] } },
    holds: ({ attributes }: Plain) => attributes.includes(name),
  })),
  fc.constantFrom(...CLASSES).map((deviceClass) => () => ({
    query: { deviceClass: { $ne: deviceClass } },
    holds: (device: Plain) => device.deviceClass !== deviceClass,
  })),
  fc
    .tuple(fc.nat(COUNT), fc.constantFrom('$eq', '$ne', '$gte'))
    .map(([n, operator]) => (ids: readonly string[]) => {
      const id = ids[n % ids.length]!;
      return {
        query: { ancestorId: { [operator]: id } },
        holds: ({ above }: Plain) =>
          operator === '$gte' ? above.some((one) => one >= id) : above.includes(id) === (operator === '$eq'),
      };
    }),
  fc.constant(() => ({ query: { ancestorId: null }, holds: ({ above }: Plain) => above.length === 0 })),
);
const query = fc
  .tuple(fc.constantFrom('$and', '$or', '$nor'), fc.array(simple, { minLength: 1, maxLength: 3 }))
  .map(([operator, parts]) => (ids: readonly string[]): Query => {
    const queries = parts.map((part) => part(ids));
    return {
      query: { [operator]: queries.map((one) => one.query) },
      holds: (device) => {
        if (operator === '$and') return queries.every(({ holds }) => holds(device));
        return queries.some(({ holds }) => holds(device)) === (operator === '$or');
      },
    };
  });

/** Stores devices in a new application, and returns them for the reference implementation. */
async function stored(applicationId: string, drawnDevices: Drawn): Promise<Plain[]> {
  await test.dataSource.query('DELETE FROM devices WHERE application_id = $1', [applicationId]);
  const plain: (Plain & { parentId: string | null })[] = [];
  for (const { tags, attributes, deviceClass, parent } of drawnDevices) {
    const systems = plain.filter((one) => one.deviceClass === 'system');
    const above = parent === null || systems.length === 0 ? undefined : systems[parent % systems.length]!;
    plain.push({
      id: newId(),
      tags,
      attributes,
      deviceClass,
      parentId: above?.id ?? null,
      above: above ? [above.id, ...above.above] : [],
    });
  }
  await test.dataSource.query(
    `INSERT INTO devices (id, application_id, creation_date, last_updated, name, keep_duplicates, tags, attributes, device_class, parent_id)
     SELECT d.id, $1, now(), now(), d.id, false, d.tags, d.attributes, d."deviceClass", d."parentId"
     FROM jsonb_to_recordset($2) d (id text, tags jsonb, attributes jsonb, "deviceClass" text, "parentId" text)`,
    [
      applicationId,
      JSON.stringify(
        plain.map((one) => ({
          ...one,
          attributes: one.attributes.map((name) => ({ name, dataType: 'number' })),
        })),
      ),
    ],
  );
  return plain;
}

async function found(applicationId: string, condition: (values: unknown[]) => string): Promise<string[]> {
  const values: unknown[] = [applicationId];
  const text = `SELECT t.id FROM devices t WHERE t.application_id = $1 AND t.deleted_at IS NULL
    AND ${condition(values)} ORDER BY t.id`;
  return (await test.app.get(Database).run({ text, values })).map(([id]) => id!);
}

/** Returns the IDs of the selected devices, those after an ID if one is given. */
async function foundIn(applicationId: string, selection: DeviceSelection, after?: string): Promise<string[]> {
  const values: unknown[] = [applicationId, after ?? ''];
  const finding = after === undefined ? {} : { after: '$2::text' };
  const { table, where, id } = selectedDevices(applicationId, selection, values, finding);
  const text = `SELECT t.id FROM ${table} t WHERE t.application_id = $1 AND t.deleted_at IS NULL AND $2::text IS NOT NULL
    AND ${where} ORDER BY ${id}`;
  return (await test.app.get(Database).run({ text, values })).map(([found]) => found!);
}

it('Selection by IDs, tags and queries matches a reference implementation', async () => {
  const { id } = application;
  const asked = fc.record({
    world,
    ids: fc.option(fc.array(fc.nat(COUNT), { maxLength: 3 })),
    deviceTags: fc.option(fc.array(filter, { maxLength: 3 })),
    query: fc.option(query),
  });
  await fc.assert(
    fc.asyncProperty(asked, async ({ world: drawnDevices, ids, deviceTags, query: queryOf }) => {
      const devices = await stored(id, drawnDevices);
      const all = devices.map((one) => one.id);
      const meant = queryOf?.(all);
      const deviceIds = ids?.map((n) => (all[n] ?? newId()).toUpperCase());
      const selection: DeviceSelection = {
        ...(deviceIds ? { deviceIds } : {}),
        ...(deviceTags ? { deviceTags } : {}),
        ...(meant ? { deviceQuery: meant.query } : {}),
      };
      const expected = devices.filter(
        (device) =>
          deviceIds?.includes(device.id.toUpperCase()) ||
          deviceTags?.some((one) => has(device, one)) ||
          meant?.holds(device),
      );
      const selected = await found(id, (values) => selectionSql(selection, values));
      expect(selected).toEqual(expected.map((one) => one.id).sort());
      expect(await foundIn(id, selection)).toEqual(selected);
      const after = all[0]!;
      expect(await foundIn(id, selection, after)).toEqual(selected.filter((one) => one > after));
      if (meant && !deviceIds?.length && !deviceTags?.length)
        expect(await found(id, (values) => wholeQuerySql(id, meant.query, values))).toEqual(selected);
      if (!meant) {
        const devicesReached = { deviceIds: deviceIds ?? [], deviceTags: deviceTags ?? [] };
        const access = { id, devices: devicesReached };
        expect(await found(id, (values) => reachSql(access, values))).toEqual(selected);
        expect(await found(id, (values) => `t.id IN (${reachedIdsSql(access, values)!})`)).toEqual(selected);
      }
    }),
    { numRuns: 60 },
  );
}, 60_000);

describe('Statements on many devices', () => {
  const MANY = 3_000;
  const tagged = [{ key: 'site', value: 'rare' }];
  let key: { id: string };

  /** Returns the number of device rows that each statement of a request reads. */
  async function devicesRead(query: string, token: string): Promise<number[]> {
    const database = test.app.get(Database);
    const path = `/applications/${application.id}/devices?${query}`;
    const sent: Statement[] = [];
    const note = (statement: Statement) => {
      sent.push(statement);
      return Database.prototype.run.call(database, statement);
    };
    const spies = [
      jest.spyOn(database, 'run').mockImplementation(note),
      jest.spyOn(database, 'search').mockImplementation((statement) => note(statement)),
      jest.spyOn(database, 'list').mockImplementation((statement) => {
        sent.push(statement);
        return Database.prototype.list.call(database, statement);
      }),
    ];
    const { body } = await test.client.get(path, { token });
    spies.forEach((spy) => spy.mockRestore());
    expect(body).toMatchObject({ totalCount: 2 });
    const read = await Promise.all(sent.map((statement) => rowsReadBy(test.dataSource, statement)));
    return read.map(({ devices = 0 }) => devices);
  }

  beforeEach(async () => {
    await test.dataSource.query(
      `INSERT INTO devices (id, application_id, creation_date, last_updated, name, keep_duplicates, tags, attributes, device_class)
       SELECT left(md5($1), 16) || lpad(to_hex(n), 8, '0'), $1, now(), now(), 'd' || n, false,
         CASE WHEN n > 2 THEN '[{"key":"site","value":"often"}]'::jsonb ELSE $2::jsonb END, '[]', 'standalone'
       FROM generate_series(1, ${MANY}) n`,
      [application.id, JSON.stringify(tagged)],
    );
    await test.dataSource.query('ANALYZE devices, device_tags');
    key = await makeKey(test, user.token, application.id, { deviceTags: tagged });
  });

  it.each([
    ['a tag', { tags: { site: 'rare' } }],
    ['one of several', { $or: [{ tags: { $tagValue: 'rare' } }, { tags: { $tagKey: 'none' } }] }],
    ['a tag among other things', { $and: [{ tags: { site: 'rare' } }, { name: { $contains: 'd' } }] }],
  ])('read only the matching devices for a query by %s', async (_, query) => {
    for (const sort of ['name', 'creationDate', 'connectionStatus'])
      for (const read of await devicesRead(`sortField=${sort}&query=${JSON.stringify(query)}`, user.token))
        expect(read).toBeLessThan(50);
  });

  it('read only the accessible devices for a list by a key that is restricted to a tag', async () => {
    const [device] = await test.dataSource.query<{ id: string }[]>(
      'SELECT device_id AS id FROM device_tags WHERE application_id = $1 AND value = $2 LIMIT 1',
      [application.id, 'rare'],
    );
    const token = deviceToken(test, device!.id, key.id);
    for (const read of await devicesRead('sortField=name', token)) expect(read).toBeLessThan(50);
  });
});
