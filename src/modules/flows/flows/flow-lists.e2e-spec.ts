import { makeFlow, makeRuns, makeVersion } from '../../../../test/make/flows.js';
import {
  makeApplication,
  makeMember,
  makeOrg,
  makeUser,
  tokenOf,
  uniqueName,
} from '../../../../test/make/make.js';
import { statementCounter } from '../../../../test/suites/statements.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';
import { FlowRun } from '../flow-runs/flow-run.entity.js';

const { test } = suite();
let token: string;
let userId: string;
let applicationId: string;
let path: string;

beforeEach(async () => {
  ({ id: userId, token } = await makeUser(test));
  ({ id: applicationId } = await makeApplication(test, token));
  path = `/applications/${applicationId}/flows`;
});

const create = (name: string, body: object = {}) => makeFlow(test, token, applicationId, { name, ...body });
const createVersion = (flow: { applicationId: string; id: string }, version: string, body: object = {}) =>
  makeVersion(test, token, flow, { version, ...body });
const list = (query = '') => test.client.get(`${path}${query}`, { token });
const namesOf = ({ items }: { items: { name: string }[] }) => items.map(({ name }) => name);
const webhook = (key: string) => ({ type: 'webhook', key });
const timer = { type: 'timer', config: { seconds: 60 } };

describe('GET workflows of an application', () => {
  it('returns complete workflows, in order of name', async () => {
    const nodes = [{ id: 'log', type: 'DebugNode', config: { message: 'x' }, outputIds: [[]] }];
    const globals = [{ key: 'limit', json: '42' }];
    const triggers = [{ ...timer, outputIds: [['log']] }];
    const second = await create('b', { description: 'Warns', triggers, nodes, globals });
    const first = await create('B');
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body).toEqual({
      items: [first, second],
      count: 2,
      totalCount: 2,
      page: 0,
      perPage: 100,
      sortField: 'name',
      sortDirection: 'asc',
      applicationId,
      flowClass: 'cloud',
    });
    expect(body.items[1]).toMatchObject({ nodes, globals, flowId: second.id });
    expect(body.items[1].triggers[0]).toMatchObject(triggers[0]!);
  });

  it('sorts, paginates and filters', async () => {
    const made = ['b', 'a', 'B', '100%'];
    for (const name of made) await create(name);
    for (const sortField of ['id', 'creationDate', 'lastUpdated']) {
      expect(namesOf((await list(`?sortField=${sortField}`)).body)).toEqual(made);
      expect(namesOf((await list(`?sortField=${sortField}&sortDirection=desc`)).body)).toEqual(
        made.toReversed(),
      );
    }
    expect((await list('?page=1&perPage=3')).body).toMatchObject({ items: [{ name: 'b' }], totalCount: 4 });
    expect((await list('?page=9')).body).toMatchObject({ items: [], count: 0, totalCount: 4 });
    const filtered = await list('?filterField=name&filter=b');
    expect(filtered.body).toMatchObject({ totalCount: 2, filterField: 'name', filter: 'b' });
    expect(namesOf((await list('?filter=100%25')).body)).toEqual(['100%']);
  });

  it('returns workflows of one class', async () => {
    await create('cloud');
    await create('edge', { flowClass: 'edge', minimumAgentVersion: '1.0.0' });
    await create('experience', { flowClass: 'experience' });
    expect(namesOf((await list()).body)).toEqual(['cloud']);
    expect(namesOf((await list('?flowClass=')).body)).toEqual(['cloud']);
    for (const flowClass of ['edge', 'experience', 'embedded']) {
      const { body } = await list(`?flowClass=${flowClass}`);
      expect(body.flowClass).toBe(flowClass);
      expect(namesOf(body)).toEqual(flowClass === 'embedded' ? [] : [flowClass]);
    }
  });

  it('returns only workflows of the application', async () => {
    await create('a');
    const other = await makeApplication(test, token);
    const { body } = await test.client.get(`/applications/${other.id}/flows?triggerFilter=[{}]`, { token });
    expect(body).toMatchObject({ items: [], totalCount: 0 });
    const asked = await test.client.get(`/applications/${other.id}/flows?query={}`, { token });
    expect(asked.body).toMatchObject({ items: [], totalCount: 0 });
  });

  it('requires `view`', async () => {
    const org = await makeOrg(test, token);
    const { id } = await makeApplication(test, token, { orgId: org.id });
    const readers = await Promise.all(
      (['none', 'view'] as const).map(async (role) => (await makeMember(test, org.id, role)).token),
    );
    for (const own of ['', '/version?version=develop'])
      expect(
        await Promise.all(
          readers.map(async (reader) => {
            const answer = await test.client.get(`/applications/${id}/flows${own}`, { token: reader });
            return answer.status;
          }),
        ),
      ).toEqual([404, 200]);
    expect((await test.client.get(`/applications/${newId()}/flows`, { token })).status).toBe(404);
  });

  it.each([
    [undefined, 401],
    ['flows.get', 200],
    ['flows.*', 200],
    ['flows.getByVersion', 403],
    ['flow.get', 403],
    ['all.Application.read', 200],
    ['all.User.bounded', 403],
  ])('with the scope %s, returns %i', async (scope, status) => {
    const scoped = scope && tokenOf(test, userId, [scope]);
    expect((await test.client.get(path, { token: scoped })).status).toBe(status);
  });

  it('executes the same statements for any number of workflows', async () => {
    const send = statementCounter(test);
    await create('a');
    const few = await send('GET', path, token);
    for (let i = 0; i < 8; i++) await create(`n${i}`);
    const many = await send('GET', path, token);
    expect(many.body.count).toBe(9);
    expect(many.statements).toHaveLength(1);
    expect(few.statements).toEqual(many.statements);
  });
});

describe('Run statistics in lists of workflows', () => {
  it('count the runs of the last day, in total and per version', async () => {
    const flow = await create('a');
    const version = await createVersion(flow, '1.0');
    await create('idle');
    const runs: Partial<FlowRun>[] = [
      {},
      { pathsFailed: 2 },
      { flowVersionId: version.id, pathsFailed: 1 },
      { flowVersionId: newId() },
      { requestedAt: new Date(Date.now() - 25 * 3_600_000), pathsFailed: 1 },
    ];
    await makeRuns(test, flow, runs);
    const { body } = await list();
    expect(body.items.map(({ stats }: { stats: object }) => stats)).toEqual([
      {
        runCount: 4,
        errorCount: 2,
        byVersion: { develop: { runCount: 2, errorCount: 1 }, '1.0': { runCount: 1, errorCount: 1 } },
      },
      { runCount: 0, errorCount: 0, byVersion: {} },
    ]);
    const versions = await list(`/${flow.id}/versions`);
    expect(versions.body.items[0].stats).toEqual({ runCount: 1, errorCount: 1 });
    const developed = await list('/version?version=develop');
    expect(developed.body.items.map(({ stats }: { stats: object }) => stats)).toEqual([
      { runCount: 2, errorCount: 1 },
      { runCount: 0, errorCount: 0 },
    ]);
  });
});

describe('Trigger filter', () => {
  const first = newId();
  const second = newId();
  beforeEach(async () => {
    await create('both', { triggers: [webhook(first), timer] });
    await create('second', { triggers: [webhook(second)] });
    await create('none');
    await create('pressed', { triggers: [{ type: 'virtualButton', key: 'press' }] });
  });

  it.each<[string, string[]]>([
    ['triggerFilter[0][type]=webhook', ['both', 'second']],
    [`triggerFilter[0][type]=webhook&triggerFilter[0][key]=${first}`, ['both']],
    [`triggerFilter[0][key]=${second.toUpperCase()}`, ['second']],
    [`triggerFilter[0][type]=timer&triggerFilter[0][key]=${first}`, []],
    ['triggerFilter[0][type]=timer&triggerFilter[1][key]=press', ['both', 'pressed']],
    ['triggerFilter[7][type]=timer', ['both']],
    ['triggerFilter[0][type]=mqttTopic', []],
    ['triggerFilter[0][type]=', []],
    ['triggerFilter=[{}]', ['both', 'pressed', 'second']],
    [`triggerFilter=${encodeURIComponent('[{"type":"timer"}]')}`, ['both']],
    ['triggerFilter=[]', ['both', 'none', 'pressed', 'second']],
    ['triggerFilter=', ['both', 'none', 'pressed', 'second']],
    ['triggerFilter[0][type]=webhook&filter=b*', ['both']],
    ['triggerFilter[0][type]=webhook&flowClass=edge', []],
    [`triggerFilter[0][key]=${encodeURIComponent(`'"]}') OR 1=1 --`)}`, []],
  ])('%s', async (query, names) => {
    const { status, body } = await list(`?${query}`);
    expect(status).toBe(200);
    expect(namesOf(body)).toEqual(names);
    expect(body.totalCount).toBe(names.length);
  });

  it('accepts at most 100 triggers', async () => {
    const filter = (count: number) =>
      Array.from(
        { length: count },
        (_, i) => `triggerFilter[${i}][type]=timer&triggerFilter[${i}][key]=k${i}`,
      ).join('&');
    expect((await list(`?${filter(100)}&flowClass=edge`)).body.flowClass).toBe('edge');
    expect((await list(`?${filter(101)}`)).status).toBe(400);
    const json = JSON.stringify(Array.from({ length: 101 }, () => ({})));
    expect((await list(`?triggerFilter=${json}`)).body.message).toBe(
      'triggerFilter must have at most 100 entries',
    );
  });

  it('applies to the default version', async () => {
    const flow = await create('versioned', { triggers: [timer] });
    const version = await createVersion(flow, '1.0', { triggers: [webhook(first)] });
    const found = async () => ({
      timer: namesOf((await list('?filter=versioned&triggerFilter[0][type]=timer')).body),
      webhook: namesOf((await list(`?filter=versioned&triggerFilter[0][key]=${first}`)).body),
    });
    expect(await found()).toEqual({ timer: ['versioned'], webhook: [] });
    await test.client.patch(`${path}/${flow.id}`, { defaultVersionId: version.id }, { token });
    expect(await found()).toEqual({ timer: [], webhook: ['versioned'] });
    await test.client.patch(`${path}/${flow.id}`, { defaultVersionId: null }, { token });
    expect(await found()).toEqual({ timer: ['versioned'], webhook: [] });
  });

  it.each([
    ['triggerFilter=x', 'triggerFilter must be valid JSON'],
    ['triggerFilter={}', 'triggerFilter must be an array'],
    ['triggerFilter[a][type]=timer', 'triggerFilter must be an array'],
    ['triggerFilter=1&triggerFilter=1', 'triggerFilter.0 must be an object'],
    ['triggerFilter[0]=timer', 'triggerFilter.0 must be an object'],
    ['triggerFilter[0][kind]=timer', 'triggerFilter.0.kind is not a property of triggerFilter.0'],
    ['triggerFilter[0][type][$ne]=timer', 'triggerFilter.0.type must be a string'],
    ['triggerFilter[0][type]=a&triggerFilter[0][type]=b', 'triggerFilter.0.type must be a string'],
    ['triggerFilter=[{"type":1}]', 'triggerFilter.0.type must be a string'],
    [`triggerFilter[0][key]=${'a'.repeat(1025)}`, 'triggerFilter.0.key must have at most 1024 characters'],
    ['triggerFilter[0][key]=a%00', 'triggerFilter contains a NUL character'],
    ['flowClass=gateway', 'flowClass must be one of cloud, customNode, edge, embedded, experience'],
    ['flowClass=cloud&flowClass=edge', 'flowClass must be a single string'],
    ['includeCustomNodes=yes', 'includeCustomNodes must be true, false, 1 or 0'],
    ['allVersions=2', 'allVersions must be true, false, 1 or 0'],
    ['sortField=description', 'sortField must be one of name, id, creationDate, lastUpdated'],
    ['filterField=id&filter=a', 'filterField must be one of name'],
  ])('rejects invalid parameters: %s', async (query, message) => {
    expect(await list(`?${query}`)).toMatchObject({ status: 400, body: { type: 'Validation', message } });
  });
});

describe('GET versions of a workflow', () => {
  it('sorts, paginates and filters, in order of version by default', async () => {
    const flow = await create('a');
    const other = await create('b');
    await createVersion(other, '1.0');
    expect((await list(`/${flow.id}/versions`)).body).toMatchObject({ items: [], totalCount: 0 });
    const made = [];
    for (const version of ['2.0', '1.1', '1.0'])
      made.push(await createVersion(flow, version, { notes: uniqueName() }));
    const { body } = await list(`/${flow.id.toUpperCase()}/versions`);
    expect(body).toEqual({
      items: made.toReversed(),
      count: 3,
      totalCount: 3,
      page: 0,
      perPage: 100,
      sortField: 'version',
      sortDirection: 'asc',
      applicationId,
      flowId: flow.id,
    });
    const versionsOf = (answer: { body: any }) => answer.body.items.map((item: any) => item.version);
    for (const sortField of ['id', 'creationDate', 'lastUpdated'])
      expect(versionsOf(await list(`/${flow.id}/versions?sortField=${sortField}`))).toEqual([
        '2.0',
        '1.1',
        '1.0',
      ]);
    expect(versionsOf(await list(`/${flow.id}/versions?filter=1.*`))).toEqual(['1.0', '1.1']);
    expect(versionsOf(await list(`/${flow.id}/versions?perPage=2&page=1`))).toEqual(['2.0']);
    expect((await list(`/${flow.id}/versions?page=7`)).body).toMatchObject({ items: [], totalCount: 3 });
  });

  it('returns 404 for a workflow that does not exist', async () => {
    const flow = await create('a');
    const missing = { status: 404, body: { message: 'Flow was not found' } };
    expect(await list(`/${newId()}/versions`)).toMatchObject(missing);
    const other = await makeApplication(test, token);
    const foreign = `/applications/${other.id}/flows/${flow.id}/versions`;
    expect(await test.client.get(foreign, { token })).toMatchObject(missing);
    expect((await list('/x/versions')).status).toBe(400);
    expect((await list(`/${flow.id}/versions?sortField=name`)).status).toBe(400);
  });

  it.each([
    ['flowVersions.get', 200],
    ['flowVersion.get', 403],
    ['all.User.bounded', 200],
    ['all.Application.read', 200],
  ])('with the scope %s, returns %i', async (scope, status) => {
    const flow = await create('a');
    const scoped = tokenOf(test, userId, [scope]);
    expect((await test.client.get(`${path}/${flow.id}/versions`, { token: scoped })).status).toBe(status);
  });
});
