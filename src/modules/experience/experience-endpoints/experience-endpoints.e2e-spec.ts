import { makeFlow } from '../../../../test/make/flows.js';
import { makeApplication } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';

const { test, user, application } = suite();
let path: string;

beforeEach(() => {
  path = `/applications/${application.id}/experience/endpoints`;
});

const create = (body: object, token = user.token) => test.client.post(path, body, { token });
const make = async (body: object): Promise<any> => {
  const answer = await create({ method: 'get', ...body });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
};
const list = async (query = ''): Promise<any> =>
  (await test.client.get(`${path}${query}`, { token: user.token })).body;
const own = (id: string) => `${path}/${id}`;
const patch = (id: string, body: object) => test.client.patch(own(id), body, { token: user.token });

describe('An endpoint', () => {
  it('is created, returned, updated and deleted', async () => {
    const given = {
      method: 'post',
      route: '/pumps/{pumpId}',
      description: 'Starts a pump',
      access: 'device',
      deviceIdTemplate: '{{request.params.pumpId}}',
      endpointTags: { area: 'north' },
      staticReply: { type: 'redirect', value: '/pumps', statusCode: 303 },
      unauthorizedReply: { type: 'page', value: newId() },
    };
    const { status, body: endpoint } = await create(given);
    expect(status).toBe(201);
    expect(endpoint).toMatchObject({
      ...given,
      enabled: true,
      experienceGroups: [],
      experienceEndpointId: endpoint.id,
      applicationId: application.id,
      createdById: user.id,
    });
    expect((await test.client.get(own(endpoint.id), { token: user.token })).body).toEqual(endpoint);
    const changed = await patch(endpoint.id, { enabled: false, staticReply: null, endpointTags: {} });
    const { staticReply: _, ...rest } = endpoint;
    expect(changed.body).toEqual({
      ...rest,
      enabled: false,
      endpointTags: {},
      lastUpdated: expect.any(String),
      lastUpdatedById: user.id,
      lastUpdatedByType: 'user',
    });
    expect((await test.client.delete(own(endpoint.id), { token: user.token })).body).toEqual({
      success: true,
    });
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const sent = method === 'PATCH' ? { body: {} } : {};
      const gone = await test.client.request(method, own(endpoint.id), { token: user.token, ...sent });
      expect([method, gone.status]).toEqual([method, 404]);
    }
  });

  it('is public and enabled by default', async () => {
    expect(await make({ route: '/' })).toMatchObject({ access: 'public', enabled: true, endpointTags: {} });
  });

  it.each([
    [{ route: '/' }, 'experienceEndpoint.method is required'],
    [{ method: 'get' }, 'experienceEndpoint.route is required'],
    [{ method: 'head', route: '/' }, 'experienceEndpoint.method must be one of'],
    [{ method: 'get', route: 'a' }, 'experienceEndpoint.route must begin with a slash'],
    [{ method: 'get', route: '/{a*}/b' }, 'experienceEndpoint.route can contain an optional parameter'],
    [
      { method: 'get', route: '/', endpointTags: { 'a b': 'c' } },
      'experienceEndpoint.endpointTags has an invalid key',
    ],
    [
      { method: 'get', route: '/', staticReply: { value: 'a' } },
      'experienceEndpoint.staticReply.type is required',
    ],
    [
      { method: 'get', route: '/', experienceGroupIds: [newId()] },
      'experienceEndpoint.experienceGroupIds refers to groups',
    ],
    [{ method: 'get', route: '/', version: 'v1' }, 'experienceEndpoint.version is not a property'],
  ])('is not created from %j', async (body, message) => {
    const answer = await create(body);
    expect(answer).toMatchObject({ status: 400, body: { type: 'Validation' } });
    expect(answer.body.message).toContain(message);
  });

  it('is deleted together with the workflows that it triggers when requested', async () => {
    const [kept, gone] = [await make({ route: '/kept' }), await make({ route: '/gone' })];
    const flows = [];
    for (const { id: key } of [kept, gone])
      flows.push(await makeFlow(test, user.token, application.id, { triggers: [{ type: 'endpoint', key }] }));
    await test.client.delete(own(kept.id), { token: user.token });
    await test.client.delete(`${own(gone.id)}?includeWorkflows=true`, { token: user.token });
    const statuses = flows.map(async ({ id }) => {
      const flow = `/applications/${application.id}/flows/${id}`;
      return (await test.client.get(flow, { token: user.token })).status;
    });
    expect(await Promise.all(statuses)).toEqual([200, 404]);
  });
});

describe('A route', () => {
  const taken = ({ id, method, route }: any) =>
    `experienceEndpoint.route is not available: the endpoint ${method} ${route} (${id}) matches the same paths`;

  it('is rejected with the name of a conflicting endpoint of the same method', async () => {
    const one = await make({ route: '/pumps/{id?}' });
    for (const route of ['/pumps', '/pumps/', '/pumps/{pumpId}', '/pumps/{other?}'])
      expect((await create({ method: 'get', route })).body).toEqual({
        type: 'Validation',
        message: taken(one),
      });
    for (const route of ['/pumps/all', '/pumps/{rest*}', '/Pumps', '/pumps/{id}/valves'])
      expect([route, (await create({ method: 'get', route })).status]).toEqual([route, 201]);
    expect((await create({ method: 'put', route: '/pumps' })).status).toBe(201);
  });

  it('must be unique when it or the method changes, and is released by a change', async () => {
    const one = await make({ route: '/a/{x}' });
    const other = await make({ method: 'post', route: '/a/{y}' });
    expect((await patch(other.id, { method: 'get' })).body.message).toBe(taken(one));
    expect((await patch(other.id, { method: 'get', route: '/b' })).status).toBe(200);
    expect((await patch(other.id, { route: '/a/{z}' })).body.message).toBe(taken(one));
    // An endpoint does not conflict with itself.
    expect((await patch(one.id, { route: '/a/{x?}', method: 'get' })).status).toBe(200);
    expect((await patch(one.id, { route: '/c' })).status).toBe(200);
    expect((await patch(other.id, { route: '/a/{z}' })).body).toMatchObject({
      method: 'get',
      route: '/a/{z}',
    });
    await test.client.delete(own(one.id), { token: user.token });
    expect((await create({ method: 'get', route: '/c' })).status).toBe(201);
    const elsewhere = await makeApplication(test, user.token);
    path = `/applications/${elsewhere.id}/experience/endpoints`;
    expect((await create({ method: 'get', route: '/c' })).status).toBe(201);
  });

  it('belongs to one endpoint, including with concurrent requests', async () => {
    const answers = await Promise.all(
      ['/a/{x}', '/a/{y}', '/a/{z?}', '/a'].map((route) => create({ method: 'get', route })),
    );
    const made = answers.filter(({ status }) => status === 201).map(({ body }) => body);
    const refused = answers.filter(({ status }) => status === 400).map(({ body }) => body.message);
    expect(made.length + refused.length).toBe(4);
    // Either the endpoint with the optional parameter is created, or one of each of the others.
    expect(made.map(({ route }) => route === '/a/{z?}')).toEqual(made.length === 1 ? [true] : [false, false]);
    for (const message of refused) expect(made.map(taken)).toContain(message);
    const others = await Promise.all(['/b', '/c'].map((route) => make({ route })));
    const moved = await Promise.all(others.map(({ id }) => patch(id, { route: '/d' })));
    expect(moved.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

describe('The endpoints of an experience', () => {
  it('are listed in matching order by default, or sorted as requested', async () => {
    for (const route of ['/{all*}', '/pumps/{id}', '/', '/pumps/all', '/{any}']) await make({ route });
    await make({ method: 'post', route: '/pumps' });
    const routes = async (query: string) => (await list(query)).items.map(({ route }: any) => route);
    const inOrder = ['/', '/pumps', '/pumps/all', '/pumps/{id}', '/{any}', '/{all*}'];
    expect(await routes('')).toEqual(inOrder);
    expect(await routes('?sortDirection=desc')).toEqual([...inOrder].reverse());
    expect(await routes('?filter=POST')).toEqual(['/pumps']);
    expect(await routes('?filterField=route&filter=/PUMPS/*&sortField=route&version=develop')).toEqual([
      '/pumps/all',
      '/pumps/{id}',
    ]);
    for (const sortField of ['method', 'route', 'id', 'creationDate', 'requestCount', 'lastUpdated'])
      expect([...(await routes(`?sortField=${sortField}`))].sort()).toEqual([...inOrder].sort());
    expect(await list('?filterField=route&filter=/')).toEqual({
      items: [expect.objectContaining({ route: '/' })],
      count: 1,
      totalCount: 1,
      sortField: 'order',
      sortDirection: 'asc',
      filterField: 'route',
      filter: '/',
      applicationId: application.id,
    });
  });

  it('return 404 for a version that does not exist', async () => {
    const { id } = await make({ route: '/' });
    for (const asked of [`${path}?version=v1`, `${own(id)}?version=${newId()}`]) {
      const { status, body } = await test.client.get(asked, { token: user.token });
      expect([status, body.message]).toEqual([404, 'Experience version was not found']);
    }
    expect((await list(`?version=${application.id}`)).count).toBe(1);
  });

  it('are limited to 1,000 by default', async () => {
    await make({ route: '/first' });
    await test.dataSource.query(
      `INSERT INTO experience_endpoints SELECT (jsonb_populate_record(e, jsonb_build_object('id', left(md5(n::text || e.id), 24),
         'patterns', ARRAY[md5(n::text)]))).* FROM experience_endpoints e, generate_series(1, 999) n WHERE e.application_id = $1`,
      [application.id],
    );
    expect((await create({ method: 'get', route: '/last' })).body.message).toBe(
      'The limit of 1000 experience endpoints is reached',
    );
    expect(await list()).toMatchObject({ count: 1000, totalCount: 1000 });
  });
});
