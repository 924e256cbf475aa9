import { makeApplication, makeOrg, makeUser, tokenOf } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';
import { Application } from './application.resource.js';

type Row = Partial<Pick<Application, 'name' | 'ownerType' | 'creationDate' | 'lastUpdated'>>;

const USUAL = {
  deviceCount: 0,
  deviceRecipeCount: 0,
  eventCount: 0,
  flowCount: 0,
  keyCount: 0,
  webhookCount: 0,
};

describe('A list of applications', () => {
  const { test } = suite();

  const list = (token: string, query = '') => test.client.get(`/applications${query}`, { token });
  const namesOf = (body: { items: { name: string }[] }) => body.items.map(({ name }) => name);

  /** Inserts applications directly into the database; properties that are not given get a common default. */
  async function insert(ownerId: string, rows: Row[]): Promise<Application[]> {
    const now = new Date('2026-01-01T00:00:00.000Z');
    const whole = rows.map((row) => ({
      id: newId(),
      ownerId,
      ownerType: 'user' as const,
      name: 'same',
      creationDate: now,
      lastUpdated: now,
      ...row,
    }));
    await test.dataSource.manager.insert(Application, whole);
    return whole as Application[];
  }

  it('includes every property of each application', async () => {
    const { token } = await makeUser(test);
    const application = await makeApplication(test, token, { description: 'd', globals: [] });
    const { status, body } = await list(token);
    expect(status).toBe(200);
    expect(body.items).toEqual([application]);
  });

  it('requires a token', async () => {
    const { status, body, headers } = await test.client.get('/applications');
    expect({ status, body }).toEqual({
      status: 401,
      body: { type: 'Unauthorized', message: 'Invalid access token' },
    });
    expect(headers.get('www-authenticate')).toBe('Bearer');
  });

  describe('is sorted', () => {
    const day = (n: number) => new Date(Date.UTC(2026, 0, n));

    it.each(['name', 'id', 'creationDate', 'ownerId', 'lastUpdated'] as const)(
      'by %s in both directions, with ties broken by ID',
      async (sortField) => {
        const { id, token } = await makeUser(test);
        const org = await makeOrg(test, token);
        const rows = [
          ...(await insert(id, [
            { name: 'b', creationDate: day(3), lastUpdated: day(1) },
            { name: 'a', creationDate: day(1), lastUpdated: day(2) },
            { name: 'B', creationDate: day(1), lastUpdated: day(2) },
            { name: 'a', creationDate: day(2), lastUpdated: day(1) },
          ])),
          ...(await insert(org.id, [
            { ownerType: 'organization', name: 'a' },
            { ownerType: 'organization', name: 'é' },
          ])),
        ];
        const key = (row: Application) => {
          const value = row[sortField];
          return `${value instanceof Date ? value.toISOString() : value} ${row.id}`;
        };
        const sorted = rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1)).map((row) => row.id);
        for (const direction of ['asc', 'ASC', 'desc', 'DESC']) {
          const { body } = await list(token, `?sortField=${sortField}&sortDirection=${direction}`);
          expect(body).toMatchObject({ sortField, sortDirection: direction.toLowerCase(), totalCount: 6 });
          const ids = body.items.map((item: Application) => item.id);
          expect(ids).toEqual(direction.toLowerCase() === 'asc' ? sorted : sorted.toReversed());
        }
      },
    );

    it('by name in ascending order by default', async () => {
      const { id, token } = await makeUser(test);
      await insert(id, [{ name: 'c' }, { name: 'a' }, { name: 'b' }]);
      expect(namesOf((await list(token)).body)).toEqual(['a', 'b', 'c']);
      expect(namesOf((await list(token, '?sortField=&sortDirection=')).body)).toEqual(['a', 'b', 'c']);
    });
  });

  describe('supports paging', () => {
    it('with exactly the members of the envelope', async () => {
      const { id, token } = await makeUser(test);
      await insert(id, [{ name: 'a' }, { name: 'b' }]);
      const envelope = { page: 0, perPage: 100, sortField: 'name', sortDirection: 'asc' };
      expect((await list(token)).body).toEqual({
        ...envelope,
        items: expect.any(Array),
        count: 2,
        totalCount: 2,
      });
      expect((await list(token, '?filter=A')).body).toEqual({
        ...envelope,
        items: expect.any(Array),
        count: 1,
        totalCount: 1,
        filterField: 'name',
        filter: 'A',
      });
    });

    it('with a total across all pages, including on a page past the end', async () => {
      const { id, token } = await makeUser(test);
      await insert(
        id,
        [...'abcde'].map((name) => ({ name })),
      );
      for (const [query, names] of [
        ['perPage=2', ['a', 'b']],
        ['perPage=2&page=2', ['e']],
        ['perPage=2&page=3', []],
        ['perPage=5&page=1', []],
        ['page=999999999&perPage=1000', []],
      ] as const) {
        const { body } = await list(token, `?${query}`);
        expect(namesOf(body)).toEqual(names);
        expect(body).toMatchObject({ count: names.length, totalCount: 5 });
      }
    });

    it('with 100 items per page by default and at most 1000', async () => {
      const { id, token } = await makeUser(test);
      await insert(
        id,
        Array.from({ length: 101 }, () => ({})),
      );
      expect((await list(token)).body).toMatchObject({ count: 100, totalCount: 101, perPage: 100 });
      expect((await list(token, '?perPage=1000')).body).toMatchObject({ count: 101, perPage: 1000 });
    });
  });

  describe('is filtered', () => {
    const NAMES = [
      'Pump 1',
      'pump 2',
      'Pumpe',
      '100%',
      '1000',
      'a_b',
      'aXb',
      'back\\slash',
      'star*',
      'starry',
      'q?',
      'qq',
    ];
    let token: string;
    beforeAll(async () => {
      const user = await makeUser(test);
      token = user.token;
      await insert(
        user.id,
        NAMES.map((name) => ({ name })),
      );
    });

    it.each<[string, string[]]>([
      ['pump*', ['Pump 1', 'Pumpe', 'pump 2']],
      ['PUMP ?', ['Pump 1', 'pump 2']],
      ['pump', []],
      ['*1', ['Pump 1']],
      ['100%', ['100%']],
      ['100?', ['100%', '1000']],
      ['%', []],
      ['a_b', ['a_b']],
      ['a?b', ['aXb', 'a_b']],
      ['star\\*', ['star*']],
      ['star*', ['star*', 'starry']],
      ['q\\?', ['q?']],
      ['back\\\\slash', ['back\\slash']],
      ['\\p\\u\\m\\p\\e', ['Pumpe']],
      ['[ab]*', []],
      ["'; DROP TABLE applications; --", []],
    ])('by the glob %s', async (filter, names) => {
      const { status, body } = await list(token, `?filter=${encodeURIComponent(filter)}`);
      expect(status).toBe(200);
      expect(namesOf(body).toSorted()).toEqual(names.toSorted());
      expect(body).toMatchObject({ totalCount: names.length, filterField: 'name', filter });
    });

    it('only if the filter is not blank', async () => {
      for (const query of ['?filter=', '?filterField=name', '?filterField=name&filter=', '?filterField=']) {
        const { body } = await list(token, query);
        expect(body.totalCount).toBe(NAMES.length);
        expect(body).not.toHaveProperty('filter');
      }
    });

    it('without delay, for any glob', async () => {
      const { status } = await list(token, `?filter=${encodeURIComponent('*a'.repeat(100))}b`);
      expect(status).toBe(200);
    });
  });

  it.each([
    ['sortField=ownerType', 'sortField'],
    ['sortField=name%3BDROP%20TABLE', 'sortField'],
    ['sortField=name&sortField=id', 'sortField'],
    ['sortDirection=up', 'sortDirection'],
    ['sortDirection=asc,(select%20pg_sleep(5))', 'sortDirection'],
    ['page=-1', 'page'],
    ['page=1.5', 'page'],
    ['page=0x10', 'page'],
    ['page=1e3', 'page'],
    ['page=99999999999999999999', 'page'],
    ['page[]=1', 'page'],
    ['perPage=0', 'perPage'],
    ['perPage=1001', 'perPage'],
    ['perPage=-5', 'perPage'],
    ['perPage=many', 'perPage'],
    ['filterField=description&filter=x', 'filterField'],
    ['filter[$ne]=x', 'filter'],
    ['filter=%00', 'filter'],
    [`filter=${'x'.repeat(256)}`, 'filter'],
    ['orgId=x', 'orgId'],
    ['orgId=null', 'orgId'],
    ['orgId=575ec8687ae143cd83dc4a97&orgId=575ec8687ae143cd83dc4a97', 'orgId'],
    ['summaryInclude=fooCount', 'summaryInclude'],
    ['summaryInclude=flowCount,fooCount', 'summaryInclude'],
    ['summaryInclude=__proto__', 'summaryInclude'],
    ['summaryInclude=appCount', 'summaryInclude'],
    ['summaryExclude=constructor', 'summaryExclude'],
    [`summaryInclude=${'flowCount,'.repeat(101)}`, 'summaryInclude'],
  ])('rejects ?%.60s', async (query, name) => {
    const { token } = await makeUser(test);
    const { status, body } = await list(token, `?${query}`);
    expect(status).toBe(400);
    expect(body).toEqual({ type: 'Validation', message: expect.stringMatching(new RegExp(`^${name} `)) });
  });

  it('ignores unknown parameters', async () => {
    const { id, token } = await makeUser(test);
    await insert(id, [{}]);
    const plain = await list(token);
    const { status, body } = await list(
      token,
      '?_actions=false&_links=true&_embedded=x&foo[a]=b&__proto__=x',
    );
    expect(status).toBe(200);
    expect(body).toEqual(plain.body);
  });

  describe('includes summaries', () => {
    it.each<[string, object]>([
      ['', USUAL],
      ['?summaryInclude=&summaryExclude=', USUAL],
      ['?summaryInclude=flowCount', { flowCount: 0 }],
      [
        '?summaryInclude=payloadCount,%20storageStats',
        { payloadCount: {}, storageStats: { count: 0, size: 0 } },
      ],
      [
        '?summaryExclude=deviceCount,eventCount,flowCount',
        { deviceRecipeCount: 0, keyCount: 0, webhookCount: 0 },
      ],
      ['?summaryInclude=flowCount,keyCount&summaryExclude=flowCount', { keyCount: 0 }],
      ['?summaryExclude=payloadCount', USUAL],
      ['?summaryInclude=flowCount&summaryExclude=flowCount', {}],
    ])('with the counts selected by %s', async (query, summary) => {
      const { token } = await makeUser(test);
      const { id } = await makeApplication(test, token);
      expect((await list(token, query)).body.items[0].summary).toEqual(summary);
      const one = await test.client.get(`/applications/${id}${query}`, { token });
      expect(one.body.summary).toEqual(summary);
    });

    it('for the applications of an organization', async () => {
      const { token } = await makeUser(test);
      const org = await makeOrg(test, token);
      await makeApplication(test, token, { orgId: org.id });
      const { body } = await list(token, '?summaryInclude=flowCount,notebookStats');
      expect(body.items[0].summary).toEqual({
        flowCount: 0,
        notebookStats: { awaitingCompletion: 0, minutesThisPeriod: 0, runsThisPeriod: 0 },
      });
    });
  });

  it.each<[string, number, number]>([
    ['all.User', 200, 201],
    ['all.User.read', 200, 403],
    ['all.User.cli', 200, 403],
    ['all.Organization', 200, 201],
    ['all.Organization.read', 200, 403],
    ['applications.*', 200, 201],
    ['applications.get', 200, 403],
    ['applications.post', 403, 201],
    ['application.get', 403, 403],
    ['all.Application', 403, 403],
  ])('with the scope %s returns %i, and creating one returns %i', async (scope, read, written) => {
    const { id } = await makeUser(test);
    const token = tokenOf(test, id, [scope]);
    expect((await list(token)).status).toBe(read);
    expect((await test.client.post('/applications', { name: 'new' }, { token })).status).toBe(written);
  });
});
