import { makeApplication, makeUser } from '../../../../test/make/make.js';
import { planOf } from '../../../../test/suites/plans.js';
import { statementCounter } from '../../../../test/suites/statements.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';

const [ONE, TWO] = ['a'.repeat(24), 'b'.repeat(24)];

describe('GET /applications/{applicationId}/keys: sorting, filtering and queries', () => {
  const { test } = suite({}, { database: 'own' });
  let token: string;
  let path: string;
  let counted: ReturnType<typeof statementCounter>;
  /** Created keys, by name. */
  const made: Record<string, { id: string; key: string; creationDate: string }> = {};
  beforeAll(async () => {
    counted = statementCounter(test);
    ({ token } = await makeUser(test));
    const { id } = await makeApplication(test, token);
    path = `/applications/${id}/keys`;
    for (const body of [
      { name: 'b', deviceIds: [ONE, TWO], description: 'Pumps', filterType: 'all' },
      { name: 'a', deviceTags: [{ key: 'site', value: 'north' }, { key: 'floor' }], pubTopics: ['x/1', 'y'] },
      { name: '100%', addressFilterType: 'blacklist', addresses: ['203.0.113.7', '2001:db8::/32'] },
      { name: 'B', deviceIds: [TWO], deviceTags: [{ value: 'south' }], subTopics: ['X/2'] },
    ]) {
      const answer = await test.client.post(path, body, { token });
      expect(answer.status).toBe(201);
      made[body.name] = answer.body;
    }
    await test.client.patch(`${path}/${made.a!.id}`, { status: 'inactive' }, { token });
  });

  const list = (query = '') => test.client.get(`${path}${query}`, { token });
  const ask = (query: unknown, more = '') =>
    list(`?sortField=name&sortDirection=asc&query=${encodeURIComponent(JSON.stringify(query))}${more}`);
  const namesOf = (body: { items: { name: string }[] }) => body.items.map(({ name }) => name);

  it.each<[string, string[]]>([
    ['', ['B', '100%', 'a', 'b']],
    ['?sortDirection=asc', ['b', 'a', '100%', 'B']],
    ['?sortField=id&sortDirection=asc', ['b', 'a', '100%', 'B']],
    ['?sortField=lastUpdated&sortDirection=desc', ['a', 'B', '100%', 'b']],
    ['?sortField=name&sortDirection=asc', ['100%', 'B', 'a', 'b']],
    ['?sortField=status&sortDirection=desc', ['a', 'B', '100%', 'b']],
    ['?filterField=name&filter=b', ['B', 'b']],
    ['?filterField=name&filter=1*%25', ['100%']],
    ['?filterField=status&filter=inactive', ['a']],
    ['?filterField=status&filter=active', ['B', '100%', 'b']],
    ['?filter=nothing', []],
  ])('%s', async (query, names) => {
    const { body } = await list(query);
    expect(namesOf(body)).toEqual(names);
    expect(body.totalCount).toBe(names.length);
  });

  it('sorts and filters by key, and paginates', async () => {
    const { key } = made.b!;
    expect(namesOf((await list(`?filterField=key&filter=${key.toUpperCase()}`)).body)).toEqual(['b']);
    const keys = (await list('?sortField=key&sortDirection=asc')).body.items;
    expect(keys.map((item: { key: string }) => item.key)).toEqual(
      Object.values(made)
        .map((item) => item.key)
        .sort(),
    );
    const { body } = await list('?page=1&perPage=3');
    expect(namesOf(body)).toEqual(['b']);
    expect(body).toMatchObject({ count: 1, totalCount: 4, page: 1, perPage: 3 });
  });

  it.each(['sortField=secret', 'sortField=secretHash', 'filterField=description', 'perPage=0', 'query=[]'])(
    'rejects ?%s',
    async (query) => {
      const { status, body } = await list(`?${query}`);
      expect([status, body.type]).toEqual([400, 'Validation']);
      expect(body.message.startsWith(query.split('=')[0]!)).toBe(true);
    },
  );

  it.each<[object, string[]]>([
    [{}, ['100%', 'B', 'a', 'b']],
    [{ name: 'b' }, ['b']],
    [{ name: { $eq: 'b', $ci: true } }, ['B', 'b']],
    [{ description: { $contains: 'ump' } }, ['b']],
    [{ description: null }, ['100%', 'B', 'a']],
    [{ status: 'inactive' }, ['a']],
    [{ status: { $ne: 'inactive' } }, ['100%', 'B', 'b']],
    [{ filterType: 'none' }, ['100%', 'B', 'a']],
    [{ filterType: { $in: ['all', 'whitelist'] } }, ['b']],
    [{ addressFilterType: 'blacklist' }, ['100%']],
    [{ addresses: '203.0.113.7' }, ['100%']],
    [{ addresses: { $startsWith: '2001:' } }, ['100%']],
    [{ addresses: null }, ['B', 'a', 'b']],
    [{ addresses: { $ne: null } }, ['100%']],
    [{ deviceIds: ONE }, ['b']],
    [{ deviceIds: TWO.toUpperCase() }, ['B', 'b']],
    [{ deviceIds: { $nin: [ONE] } }, ['100%', 'B', 'a']],
    [{ deviceIds: { $in: [] } }, []],
    [{ deviceIds: null }, ['100%', 'a']],
    [{ deviceTags: { site: 'north' } }, ['a']],
    [{ deviceTags: { $tagKey: 'floor' } }, ['a']],
    [{ deviceTags: { $tagValue: 'south' } }, ['B']],
    [{ deviceTags: { site: { $nin: ['north'] } } }, []],
    [{ deviceTags: { $ne: { site: 'north' } } }, ['100%', 'B', 'b']],
    [{ deviceTags: null }, ['100%', 'b']],
    [{ pubTopics: { $startsWith: 'x/' } }, ['a']],
    [{ pubTopics: { $in: ['y', 'z'] } }, ['a']],
    [{ pubTopics: null }, ['100%', 'B', 'b']],
    [{ subTopics: { $eq: 'x/2', $ci: true } }, ['B']],
    [{ subTopics: 'x/2' }, []],
    [{ creationDate: { $lt: '2020-01-01' } }, []],
    [{ lastUpdated: { $gte: 0 } }, ['100%', 'B', 'a', 'b']],
    [{ $or: [{ deviceIds: ONE }, { deviceTags: { $tagValue: 'south' } }] }, ['B', 'b']],
    [{ $nor: [{ deviceIds: ONE }, { addresses: { $ne: null } }] }, ['B', 'a']],
    [{ $and: [{ deviceIds: TWO }, { subTopics: { $endsWith: '2' } }] }, ['B']],
  ])('evaluates the advanced query %j', async (query, names) => {
    const { status, body } = await ask(query);
    expect([status, namesOf(body)]).toEqual([200, names]);
    expect(body.totalCount).toBe(names.length);
  });

  it('matches IDs and keys, and the advanced query overrides the filter', async () => {
    expect(namesOf((await ask({ id: made.a!.id.toUpperCase() })).body)).toEqual(['a']);
    expect(namesOf((await ask({ id: { $nin: [made.a!.id, made.b!.id, newId()] } })).body)).toEqual([
      '100%',
      'B',
    ]);
    expect(namesOf((await ask({ key: made.B!.key })).body)).toEqual(['B']);
    const { body } = await ask(
      { name: { $in: ['a', 'b'] } },
      '&filterField=name&filter=100*&perPage=1&page=1',
    );
    expect(body).toMatchObject({ items: [{ name: 'b' }], totalCount: 2 });
    expect(body).not.toHaveProperty('filter');
  });

  it.each<[string, object]>([
    ['query.secret', { secret: 'x' }],
    ['query.secretHash', { secretHash: null }],
    ['query.applicationId', { applicationId: ONE }],
    ['query.name.$regex', { name: { $regex: '.*' } }],
    ['query.status', { status: 'gone' }],
    ['query.deviceIds', { deviceIds: 'x' }],
    ['query.deviceIds', { deviceIds: { $eq: ONE, $ne: TWO } }],
    ['query.deviceTags', { deviceTags: 'x' }],
    ['query.pubTopics', { pubTopics: ['x'] }],
    ['query.$or.0.name', { $or: [{ name: 7 }] }],
    ['query.__proto__', JSON.parse('{"__proto__": {}}')],
    ["query.name' OR 1=1 --", { "name' OR 1=1 --": 1 }],
  ])('rejects the advanced query with an error at %s', async (at, query) => {
    const { status, body } = await ask(query);
    expect(status).toBe(400);
    expect(body.message.startsWith(`${at} `)).toBe(true);
  });

  describe('with 10,000 keys', () => {
    let applicationId: string;
    let many: string;
    beforeAll(async () => {
      ({ id: applicationId } = await makeApplication(test, token));
      const { id: other } = await makeApplication(test, token);
      many = `/applications/${applicationId}/keys`;
      for (let first = 1; first <= 100_000; first += 10_000)
        await test.dataSource.query(
          `INSERT INTO application_keys (id, creation_date, last_updated, application_id, key, name, status, device_ids,
             device_tags, address_filter_type, addresses, filter_type, pub_topics, sub_topics, secret_hash)
           SELECT substr(md5(n::text), 1, 24), now() - n * interval '1 second', now() - (n * 7 % 10000) * interval '1 second',
             CASE WHEN n <= 10000 THEN $1 ELSE $2 END, gen_random_uuid(), 'key ' || n,
             CASE n % 100 WHEN 0 THEN 'inactive' ELSE 'active' END, '[]', '[]', 'all', '[]', 'none', '[]', '[]', ''
           FROM generate_series($3::int, $3 + 9999) AS n`,
          [applicationId, other, first],
        );
      await test.dataSource.query('VACUUM ANALYZE application_keys');
      // Warms the cache of the application's owner, so that only the statements of the list are counted.
      await test.client.get(many, { token });
    });

    it.each([
      ['id', 'application_keys_by_id'],
      ['creationDate', 'application_keys_by_creation'],
      ['lastUpdated', 'application_keys_by_change'],
      ['name', 'application_keys_by_name'],
      ['status', 'application_keys_by_status'],
      ['key', 'application_keys_by_key'],
    ])(
      'reads a page sorted by %s from its index, in both directions, with one statement',
      async (field, index) => {
        for (const direction of ['asc', 'desc']) {
          const { body, statements } = await counted(
            'GET',
            `${many}?sortField=${field}&sortDirection=${direction}&perPage=20`,
            token,
          );
          expect(body).toMatchObject({ count: 20, totalCount: 10_000 });
          expect(statements).toHaveLength(1);
          const plan = await planOf(test.dataSource, statements[0]!, [applicationId, 20, 0]);
          expect(plan).toContain(`Index Only Scan ${index}`);
          expect(plan.slice(plan.indexOf('Limit'))).not.toContain('Sort');
          expect(plan).not.toContain('Seq Scan application_keys');
        }
      },
    );

    it.each([
      ['name', 'key 77*'],
      ['status', 'inactive'],
      ['key', '0000*'],
    ])('does not scan the keys of other applications when filtering by %s', async (field, filter) => {
      const query = `filterField=${field}&filter=${encodeURIComponent(filter)}&perPage=20`;
      const { statements } = await counted('GET', `${many}?${query}`, token);
      expect(statements).toHaveLength(1);
      const values = [applicationId, filter.replace('*', '%'), 20, 0];
      const plan = await planOf(test.dataSource, statements[0]!, values);
      expect(plan).not.toContain('Seq Scan application_keys');
    });
  });
});
