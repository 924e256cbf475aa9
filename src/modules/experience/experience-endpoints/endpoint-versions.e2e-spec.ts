import { makeFlow } from '../../../../test/make/flows.js';
import { makeApplication } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';

const { test, user, application } = suite();
let experience: string;

beforeEach(() => {
  experience = `/applications/${application.id}/experience`;
});

const send = (method: string, path: string, body?: object) =>
  test.client.request(method, `${experience}${path}`, { token: user.token, ...(body ? { body } : {}) });
const get = async (path: string): Promise<any> => (await send('GET', path)).body;
async function make(path: string, body: object): Promise<any> {
  const answer = await send('POST', path, body);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}
const group = (name: string, more: object = {}) => make('/groups', { name, ...more });
const endpoint = (route: string, more: object = {}) => make('/endpoints', { method: 'get', route, ...more });
const named = ({ id, name }: any) => ({ id, name });

describe('The groups of an endpoint', () => {
  it('are set on creation and update, and visible from both sides', async () => {
    const [b, a] = [await group('b'), await group('a')];
    const one = await endpoint('/a', {
      access: 'group',
      experienceGroupIds: [b.id.toUpperCase(), a.id, a.id],
    });
    expect(one.experienceGroups).toEqual([named(a), named(b)]);
    expect((await get(`/groups/${a.id}`)).experienceEndpointIds).toEqual([one.id]);
    const other = await endpoint('/b');
    expect((await get(`/endpoints?experienceGroupId=${a.id}`)).items).toEqual([one]);
    const changed = await send('PATCH', `/endpoints/${one.id}`, {
      experienceGroupIds: [b.id],
      enabled: false,
    });
    expect(changed.body).toMatchObject({ experienceGroups: [named(b)], enabled: false });
    await send('PATCH', `/groups/${a.id}`, { experienceEndpointIds: [other.id] });
    const found = await get(`/endpoints?experienceGroupId=${a.id}`);
    expect(found).toMatchObject({ experienceGroupId: a.id, count: 1, items: [{ id: other.id }] });
    // Omitted arrays keep their value and empty arrays remove all groups.
    expect((await send('PATCH', `/endpoints/${one.id}`, { enabled: true })).body.experienceGroups).toEqual([
      named(b),
    ]);
    expect(
      (await send('PATCH', `/endpoints/${one.id}`, { experienceGroupIds: [] })).body.experienceGroups,
    ).toEqual([]);
    await send('DELETE', `/groups/${a.id}`);
    expect((await get(`/endpoints/${other.id}`)).experienceGroups).toEqual([]);
    await send('DELETE', `/endpoints/${other.id}`);
    expect((await get(`/groups/${b.id}`)).experienceEndpointIds).toEqual([]);
  });

  it('must belong to the application, otherwise nothing is changed', async () => {
    const mine = await group('a');
    const elsewhere = await makeApplication(test, user.token);
    const foreign = await test.client.post(
      `/applications/${elsewhere.id}/experience/groups`,
      { name: 'a' },
      { token: user.token },
    );
    const one = await endpoint('/a', { experienceGroupIds: [mine.id] });
    for (const id of [foreign.body.id, newId()])
      for (const [method, path, body] of [
        ['POST', '/endpoints', { method: 'get', route: '/b' }],
        ['PATCH', `/endpoints/${one.id}`, { route: '/c' }],
      ] as const) {
        const answer = await send(method, path, { ...body, experienceGroupIds: [mine.id, id] });
        expect(answer).toMatchObject({ status: 400, body: { type: 'Validation' } });
        expect(answer.body.message).toMatch(/^experienceEndpoint\.experienceGroupIds /);
      }
    expect((await get('/endpoints')).items).toEqual([one]);
  });
});

describe('A version of an experience', () => {
  it('contains endpoints as they were, with their groups', async () => {
    const [a, b] = [await group('a'), await group('b')];
    const one = await endpoint('/a', {
      access: 'group',
      experienceGroupIds: [a.id, b.id],
      staticReply: { type: 'redirect', value: '/' },
    });
    const other = await endpoint('/b');
    const version = await make('/versions', { version: 'v1' });
    const then = (await get('/endpoints')).items;
    await send('PATCH', `/endpoints/${one.id}`, { route: '/c', experienceGroupIds: [], staticReply: null });
    await send('DELETE', `/endpoints/${other.id}`);
    await endpoint('/b');
    for (const asked of ['v1', version.id, version.id.toUpperCase()]) {
      expect(await get(`/endpoints?version=${asked}`)).toMatchObject({
        count: 2,
        totalCount: 2,
        items: then,
      });
      expect(await get(`/endpoints/${one.id}?version=${asked}`)).toEqual(one);
      expect(await get(`/endpoints/${other.id}?version=${asked}`)).toEqual(other);
    }
    expect((await get(`/endpoints?version=v1&experienceGroupId=${a.id}`)).items).toEqual([one]);
    expect(
      (await get(`/endpoints?version=v1&filterField=route&filter=/b&sortField=requestCount`)).items,
    ).toEqual([other]);
    expect(await get(`/endpoints/${one.id}?version=develop`)).toMatchObject({
      route: '/c',
      experienceGroups: [],
    });
    expect((await send('GET', `/endpoints/${other.id}`)).status).toBe(404);
    expect((await send('GET', `/endpoints/${newId()}?version=v1`)).status).toBe(404);
    // Groups are not versioned: deleted groups disappear from all versions, and renamed groups are renamed in all.
    await send('PATCH', `/groups/${b.id}`, { name: 'c' });
    await send('DELETE', `/groups/${a.id}`);
    expect((await get(`/endpoints/${one.id}?version=v1`)).experienceGroups).toEqual([
      { id: b.id, name: 'c' },
    ]);
    await send('DELETE', '/versions/v1');
    expect((await send('GET', `/endpoints/${one.id}?version=v1`)).status).toBe(404);
  });

  it('can be restored completely, including routes and groups', async () => {
    const a = await group('a');
    const one = await endpoint('/a', { experienceGroupIds: [a.id] });
    await make('/versions', { version: 'v1' });
    await send('PATCH', `/endpoints/${one.id}`, { route: '/b', experienceGroupIds: [] });
    await endpoint('/a');
    expect((await send('PATCH', '/versions/develop', { sourceVersionIdOrName: 'v1' })).status).toBe(200);
    expect((await get('/endpoints')).items).toEqual([one]);
    expect((await send('POST', '/endpoints', { method: 'get', route: '/a' })).status).toBe(400);
    expect((await send('POST', '/endpoints', { method: 'get', route: '/b' })).status).toBe(201);
  });
});

describe('Workflows of an experience deleted with an endpoint', () => {
  it('remain in the versions that contain them', async () => {
    const { id: key } = await endpoint('/a');
    const triggers = [{ type: 'endpoint', key }];
    const flow = await makeFlow(test, user.token, application.id, { flowClass: 'experience', triggers });
    await make('/versions', { version: 'v1' });
    await send('DELETE', `/endpoints/${key}?includeWorkflows=true`);
    const { body } = await test.client.get(`/applications/${application.id}/flows/${flow.id}`, {
      token: user.token,
    });
    expect(body).toMatchObject({ id: flow.id, deletedInDevelop: true });
    expect(await get(`/endpoints/${key}?version=v1`)).toMatchObject({ id: key });
  });
});
