import { makeInstanceMember, makeUser, makeInstance } from '../../../../test/make/make.js';
import { statementCounter } from '../../../../test/suites/statements.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';

describe('The list of organizations of an instance', () => {
  const { test } = suite();
  let token: string;
  let path: string;
  let userId: string;
  /** Organization IDs by name. */
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    const { id: instanceId } = await makeInstance(test);
    const admin = await makeInstanceMember(test, 'admin', { instanceId });
    userId = (await makeUser(test, { instanceId })).id;
    token = admin.token;
    path = `/instances/${instanceId}/orgs`;
    for (const body of [
      { name: 'b', tags: [{ key: 'region', value: 'north' }], referralId: 'crm-1', isReadOnly: true },
      { name: 'a', members: [{ userId, role: 'view' }], mfaMode: 'required' },
      { name: '100%', disabledAt: '2030-01-01T00:00:00Z', auditLogEnabled: false },
      { name: 'B', members: [{ userId, role: 'admin' }], tags: [{ key: 'region', value: 'south' }] },
    ]) {
      const answer = await test.client.post(path, body, { token });
      expect(answer.status).toBe(200);
      ids[body.name] = answer.body.id;
    }
  });

  const list = (query = '') => test.client.get(`${path}${query}`, { token });
  const ask = (query: unknown, more = '') =>
    list(`?query=${encodeURIComponent(JSON.stringify(query))}${more}`);
  const namesOf = (body: { items: { name: string }[] }) => body.items.map(({ name }) => name);

  it('can be sorted, paged and filtered', async () => {
    const { body } = await list();
    expect(body).toMatchObject({
      count: 4,
      totalCount: 4,
      page: 0,
      perPage: 100,
      sortField: 'name',
      sortDirection: 'asc',
      instanceId: path.split('/')[2],
    });
    expect(namesOf(body)).toEqual(['100%', 'B', 'a', 'b']);
    for (const sortField of ['id', 'creationDate', 'lastUpdated']) {
      const made = ['b', 'a', '100%', 'B'];
      expect(namesOf((await list(`?sortField=${sortField}`)).body)).toEqual(made);
      const down = await list(`?sortField=${sortField}&sortDirection=desc`);
      expect(namesOf(down.body)).toEqual(made.toReversed());
    }
    expect((await list('?page=1&perPage=3')).body).toMatchObject({ count: 1, totalCount: 4 });
    expect((await list('?page=9')).body).toMatchObject({ items: [], count: 0, totalCount: 4 });
    const filtered = await list('?filter=B&filterField=name');
    expect(filtered.body).toMatchObject({ totalCount: 2, filterField: 'name', filter: 'B' });
    expect(namesOf((await list('?filter=100%25')).body)).toEqual(['100%']);
  });

  it('returns the same representation as a single organization, with two statements in addition to those for the caller', async () => {
    const { body, statements } = await statementCounter(test)('GET', `${path}?perPage=3`, token);
    expect(statements.length).toBeLessThanOrEqual(3);
    expect(body.items).toHaveLength(3);
    for (const item of body.items)
      expect((await test.client.get(`${path}/${item.id}`, { token })).body).toEqual(item);
    const asked = await list('?summaryInclude=memberCount,deviceCount');
    expect(asked.body.items.map(({ summary }: { summary: object }) => summary)).toEqual([
      { memberCount: 1, deviceCount: 0 },
      { memberCount: 1, deviceCount: 0 },
      { memberCount: 2, deviceCount: 0 },
      { memberCount: 1, deviceCount: 0 },
    ]);
  });

  it.each([
    'sortField=ownerId',
    'sortDirection=up',
    'page=-1',
    'perPage=1001',
    'filterField=description',
    'summaryInclude=fooCount',
    'query=x',
    'query=[]',
    'query={}&query={}',
  ])('rejects ?%s', async (query) => {
    const { status, body } = await list(`?${query}`);
    expect({ status, type: body.type }).toEqual({ status: 400, type: 'Validation' });
    expect(body.message.startsWith(query.split('=')[0]!)).toBe(true);
  });

  describe('with an advanced query', () => {
    it.each<[object, string[]]>([
      [{}, ['100%', 'B', 'a', 'b']],
      [{ name: 'b' }, ['b']],
      [{ name: { $eq: 'b', $ci: true } }, ['B', 'b']],
      [{ name: { $contains: '%' } }, ['100%']],
      [{ name: { $in: ['a', 'b'] } }, ['a', 'b']],
      [{ isReadOnly: true }, ['b']],
      [{ isReadOnly: { $ne: true } }, ['100%', 'B', 'a']],
      [{ auditLogEnabled: false }, ['100%']],
      [{ disabledAt: null }, ['B', 'a', 'b']],
      [{ disabledAt: { $gt: '2029-01-01' } }, ['100%']],
      [{ mfaMode: 'required' }, ['a']],
      [{ mfaMode: { $nin: ['required'] } }, ['100%', 'B', 'b']],
      [{ referralId: { $startsWith: 'crm' } }, ['b']],
      [{ referralId: null }, ['100%', 'B', 'a']],
      [{ creationDate: { $lt: '2020-01-01' } }, []],
      [{ lastUpdated: { $gte: 0 } }, ['100%', 'B', 'a', 'b']],
      [{ tags: { region: 'north' } }, ['b']],
      [{ tags: { $tagKey: 'region' } }, ['B', 'b']],
      [{ tags: null }, ['100%', 'a']],
      [{ $or: [{ name: 'a' }, { isReadOnly: true }] }, ['a', 'b']],
      [{ $nor: [{ name: 'a' }, { isReadOnly: true }] }, ['100%', 'B']],
      [{ $and: [{ tags: { region: { $in: ['north', 'south'] } } }, { referralId: null }] }, ['B']],
      [{ $or: [] }, []],
    ])('%j', async (query, names) => {
      const { status, body } = await ask(query);
      expect(status).toBe(200);
      expect(namesOf(body)).toEqual(names);
      expect(body.totalCount).toBe(names.length);
    });

    it('finds organizations by IDs, including those of members', async () => {
      expect(namesOf((await ask({ id: ids.a!.toUpperCase() })).body)).toEqual(['a']);
      expect(namesOf((await ask({ id: { $nin: [ids.a, ids.b] } })).body)).toEqual(['100%', 'B']);
      expect(namesOf((await ask({ memberId: userId })).body)).toEqual(['B', 'a']);
      expect(namesOf((await ask({ memberId: { $ne: userId } })).body)).toEqual(['100%', 'b']);
      expect(namesOf((await ask({ memberId: { $in: [userId, newId()] } })).body)).toEqual(['B', 'a']);
      expect((await ask({ memberId: newId() })).body.items).toEqual([]);
    });

    it('applies the query before the filter, and supports sorting and paging', async () => {
      const query = { name: { $in: ['a', 'b', 'B'] } };
      const { body } = await ask(query, '&filterField=name&filter=100*&sortDirection=desc&perPage=2&page=1');
      expect(body).toMatchObject({ items: [{ name: 'B' }], count: 1, totalCount: 3, page: 1, perPage: 2 });
      expect(body).not.toHaveProperty('filter');
      expect(namesOf((await list('?query=&filter=100*')).body)).toEqual(['100%']);
    });

    it.each<[string, object]>([
      ['query.colour', { colour: 'red' }],
      ['query.name.$regex', { name: { $regex: '.*' } }],
      ['query.mfaMode', { mfaMode: 'sometimes' }],
      ['query.memberId', { memberId: 'x' }],
      ['query.disabledAt', { disabledAt: 'tomorrow' }],
      ['query.isReadOnly', { isReadOnly: 'yes' }],
      ['query.$or.0.name', { $or: [{ name: 7 }] }],
      ['query.name', { name: 'a\0' }],
    ])('is rejected at %s', async (at, query) => {
      const { status, body } = await ask(query);
      expect(status).toBe(400);
      expect(body.message.startsWith(`${at} `)).toBe(true);
    });

    it('never includes other instances', async () => {
      const { body } = await ask({ $or: [{ name: { $ne: newId() } }, { isReadOnly: true }] });
      expect(body.totalCount).toBe(4);
    });
  });
});
