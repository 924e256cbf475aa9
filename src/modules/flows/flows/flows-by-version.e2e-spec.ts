import { makeFlow, makeVersion } from '../../../../test/make/flows.js';
import { makeApplication, makeUser, tokenOf } from '../../../../test/make/make.js';
import { statementCounter } from '../../../../test/suites/statements.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';
import { Flow } from './flow.resource.js';

const { test } = suite();
let token: string;
let userId: string;
let applicationId: string;
let path: string;
let send: ReturnType<typeof statementCounter>;

beforeAll(() => {
  send = statementCounter(test);
});

beforeEach(async () => {
  ({ id: userId, token } = await makeUser(test));
  ({ id: applicationId } = await makeApplication(test, token));
  path = `/applications/${applicationId}/flows/version`;
});

const create = (name: string, body: object = {}) => makeFlow(test, token, applicationId, { name, ...body });
const list = (version: string, query = '') =>
  test.client.get(`${path}?version=${version}${query}`, { token });
const namesOf = ({ items }: { items: { name: string }[] }) => items.map(({ name }) => name);
const timer = { type: 'timer', config: { seconds: 60 } };
const button = { type: 'virtualButton', key: 'press' };

describe('GET versions with one name', () => {
  it('returns the versions of all workflows, with the names of the workflows', async () => {
    const second = await create('b', { description: 'Warns' });
    const first = await create('a');
    await create('c');
    const nodes = [{ id: 'log', type: 'DebugNode', config: { message: 'x' } }];
    const ofSecond = await makeVersion(test, token, second, { version: '1.0', notes: 'New', nodes });
    const ofFirst = await makeVersion(test, token, first, { version: '1.0', triggers: [timer] });
    await makeVersion(test, token, first, { version: '1.1' });
    const { status, body } = await list('1.0');
    expect(status).toBe(200);
    expect(body).toEqual({
      items: [
        { ...ofFirst, name: 'a' },
        { ...ofSecond, name: 'b', description: 'Warns' },
      ],
      count: 2,
      totalCount: 2,
      page: 0,
      perPage: 100,
      sortField: 'name',
      sortDirection: 'asc',
      applicationId,
    });
    expect(body.items[1]).toMatchObject({ flowVersionId: ofSecond.id, flowId: second.id, nodes });
    expect((await list('2.0')).body).toMatchObject({ items: [], totalCount: 0 });
  });

  it('returns the development versions for develop', async () => {
    const flow = await create('a', { description: 'Warns', triggers: [timer], enabled: false });
    const version = await makeVersion(test, token, flow, { version: '1.0' });
    const patch = { defaultVersionId: version.id };
    const { body: pinned } = await test.client.patch(
      `/applications/${applicationId}/flows/${flow.id}`,
      patch,
      {
        token,
      },
    );
    const { items } = (await list('develop')).body;
    expect(items).toEqual([
      {
        id: flow.id,
        flowVersionId: flow.id,
        flowId: flow.id,
        applicationId,
        version: 'develop',
        name: 'a',
        description: 'Warns',
        flowClass: 'cloud',
        enabled: false,
        triggers: flow.triggers,
        nodes: [],
        globals: [],
        stats: { runCount: 0, errorCount: 0 },
        creationDate: flow.creationDate,
        createdById: userId,
        createdByType: 'user',
        lastUpdated: pinned.lastUpdated,
        lastUpdatedById: userId,
        lastUpdatedByType: 'user',
      },
    ]);
  });

  it('excludes workflows that only experience versions contain, for develop', async () => {
    const [kept, gone] = [
      await create('a', { flowClass: 'experience' }),
      await create('b', { flowClass: 'experience' }),
    ];
    await test.dataSource.manager.update(Flow, { id: gone.id }, { inDevelop: false });
    const { body } = await list('develop', '&flowClass=experience');
    expect(body.items.map(({ id }: Flow) => id)).toEqual([kept.id]);
    const all = await test.client.get(`/applications/${applicationId}/flows?flowClass=experience`, { token });
    expect(all.body.items.map((item: Flow) => item.deletedInDevelop)).toEqual([undefined, true]);
  });

  it.each(['develop', '1.0'])('sorts, paginates and filters: %s', async (version) => {
    const made = ['b', 'a', 'B', '100%'];
    for (const name of made) await makeVersion(test, token, await create(name), { version: '1.0' });
    expect(namesOf((await list(version)).body)).toEqual(['100%', 'B', 'a', 'b']);
    for (const sortField of ['id', 'creationDate', 'lastUpdated']) {
      expect(namesOf((await list(version, `&sortField=${sortField}`)).body)).toEqual(made);
      const down = await list(version, `&sortField=${sortField}&sortDirection=desc`);
      expect(namesOf(down.body)).toEqual(made.toReversed());
    }
    expect((await list(version, '&page=1&perPage=3')).body).toMatchObject({
      items: [{ name: 'b' }],
      count: 1,
      totalCount: 4,
    });
    expect((await list(version, '&filter=b')).body).toMatchObject({
      totalCount: 2,
      filter: 'b',
      filterField: 'name',
    });
  });

  it('returns versions of one class, unless an advanced query overrides it', async () => {
    const cloud = await create('cloud');
    const edge = await create('edge', { flowClass: 'edge', minimumAgentVersion: '1.0.0' });
    await makeVersion(test, token, cloud, { version: '1.0' });
    await makeVersion(test, token, edge, { version: '1.0', minimumAgentVersion: '1.0.0', enabled: false });
    const versions = ['develop', '1.0'];
    for (const version of versions) {
      expect(namesOf((await list(version)).body)).toEqual(['cloud']);
      expect(namesOf((await list(version, '&flowClass=edge')).body)).toEqual(['edge']);
      const ignored = '&flowClass=embedded&filter=zzz&triggerFilter[0][type]=timer';
      const ask = async (query: object) =>
        namesOf((await list(version, `${ignored}&query=${encodeURIComponent(JSON.stringify(query))}`)).body);
      expect(await ask({})).toEqual(['cloud', 'edge']);
      expect(await ask({ flowId: edge.id.toUpperCase() })).toEqual(['edge']);
      expect(await ask({ flowClass: 'edge' })).toEqual(['edge']);
      expect(await ask({ name: { $in: ['cloud'] } })).toEqual(['cloud']);
      expect(await ask({ enabled: false })).toEqual(version === '1.0' ? ['edge'] : []);
      expect(await ask({ id: cloud.id })).toEqual(version === 'develop' ? ['cloud'] : []);
    }
  });

  it('filters by the triggers of the default version', async () => {
    const flow = await create('a', { triggers: [timer] });
    const version = await makeVersion(test, token, flow, { version: '1.0', triggers: [button] });
    const found = async () =>
      Promise.all(
        ['develop', '1.0'].map(async (name) => [
          (await list(name, '&triggerFilter[0][type]=timer')).body.totalCount,
          (await list(name, '&triggerFilter[0][key]=press')).body.totalCount,
        ]),
      );
    expect(await found()).toEqual([
      [1, 0],
      [1, 0],
    ]);
    const own = `/applications/${applicationId}/flows/${flow.id}`;
    await test.client.patch(own, { defaultVersionId: version.id }, { token });
    expect(await found()).toEqual([
      [0, 1],
      [0, 1],
    ]);
  });

  it('returns only versions of the application', async () => {
    await makeVersion(test, token, await create('a'), { version: '1.0' });
    const other = await makeApplication(test, token);
    for (const query of [
      'version=1.0',
      'version=develop',
      'version=1.0&query={}',
      'version=develop&query={}',
    ])
      expect(
        (await test.client.get(`/applications/${other.id}/flows/version?${query}`, { token })).body,
      ).toMatchObject({
        items: [],
        totalCount: 0,
      });
    expect(
      (await test.client.get(`/applications/${newId()}/flows/version?version=1`, { token })).status,
    ).toBe(404);
  });

  it.each(['develop', '1.0'])('executes one statement: %s', async (version) => {
    for (const name of ['a', 'b', 'c'])
      await makeVersion(test, token, await create(name), { version: '1.0' });
    const { body, statements } = await send('GET', `${path}?version=${version}`, token);
    expect(body.count).toBe(3);
    expect(statements).toHaveLength(1);
  });

  it.each([
    ['', 'version is required'],
    ['version=', 'version is required'],
    ['version=default', 'version must be develop or the name of versions; default is not a version name'],
    ['version=a&version=b', 'version must be a single string'],
    [`version=a%00`, 'version contains a NUL character'],
    ['version=1.0&sortField=version', 'sortField must be one of name, id, creationDate, lastUpdated'],
    ['version=1.0&triggerFilter[0][x]=1', 'triggerFilter.0.x is not a property of triggerFilter.0'],
    ['version=1.0&query=[]', 'query must be a JSON object'],
  ])('rejects ?%s', async (query, message) => {
    const answer = await test.client.get(`${path}?${query}`, { token });
    expect(answer).toMatchObject({ status: 400, body: { type: 'Validation', message } });
  });

  it.each([
    [undefined, 401],
    ['flows.getByVersion', 200],
    ['flows.*', 200],
    ['flows.get', 403],
    ['all.Application.read', 200],
    ['all.User.bounded', 403],
  ])('with the scope %s, returns %i', async (scope, status) => {
    const scoped = scope && tokenOf(test, userId, [scope]);
    expect((await test.client.get(`${path}?version=develop`, { token: scoped })).status).toBe(status);
  });
});
