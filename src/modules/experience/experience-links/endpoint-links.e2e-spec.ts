import { CUSTOM_NODE, executing, makeFlow } from '../../../../test/make/flows.js';
import { statementCounter } from '../../../../test/suites/statements.js';
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
const endpoint = (route: string, more: object = {}) => make('/endpoints', { method: 'get', route, ...more });
const view = (viewType: string, name: string, body: string, more: object = {}) =>
  make('/views', { viewType, name, body, ...more });
const flow = (flowClass: string, key: string, more: object = {}) =>
  makeFlow(test, user.token, application.id, { flowClass, triggers: [{ type: 'endpoint', key }], ...more });
const linked = (id: string, query = '') => get(`/endpoints/${id}/linkedResources${query}`);
const ids = (page: any): string[] => page.items.map(({ id }: any) => id);

describe('Linked resources of an endpoint', () => {
  it('contain the views of its replies and everything in them', async () => {
    const inner = await view('component', 'inner', 'x');
    const pump = await view('component', 'pump', '{{component "inner"}}{{component "pump"}}');
    const menu = await view('component', 'menu', 'x');
    await view('component', 'other', 'x');
    const layout = await view('layout', 'layout', '{{component "menu"}}{{page}}');
    const page = await view('page', 'page', '{{component "pump"}}{{component "unknown"}}', {
      layoutId: layout.id,
    });
    const refused = await view('page', 'refused', 'no');
    const { id } = await endpoint('/a', {
      staticReply: { type: 'page', value: page.id.toUpperCase() },
      unauthorizedReply: { type: 'page', value: refused.id },
    });
    const { experienceViews, experienceEndpoints } = await linked(id);
    expect(ids(experienceViews).sort()).toEqual(
      [page, refused, layout, menu, pump, inner].map((each) => each.id).sort(),
    );
    expect(experienceViews).toMatchObject({ count: 6, totalCount: 6, applicationId: application.id });
    expect(experienceEndpoints).toMatchObject({ items: [], count: 0, totalCount: 0 });
    await make('/versions', { version: 'v1' });
    await send('PATCH', `/views/${page.id}`, { body: '', layoutId: null });
    expect(ids((await linked(id)).experienceViews).sort()).toEqual([page.id, refused.id].sort());
    expect((await linked(id, '?version=v1')).experienceViews.count).toBe(6);
  });

  it('contain the endpoints that it redirects to', async () => {
    const pumps = await endpoint('/pumps/{id}');
    await endpoint('/{any*}');
    const off = await endpoint('/off', { enabled: false });
    const { id } = await endpoint('/a', {
      staticReply: { type: 'redirect', value: '/pumps/1?from=a' },
      unauthorizedReply: { type: 'redirect', value: 'https://example.com/pumps/1' },
    });
    expect(ids((await linked(id)).experienceEndpoints)).toEqual([pumps.id]);
    await send('PATCH', `/endpoints/${id}`, { staticReply: { type: 'redirect', value: '/off' } });
    expect(ids((await linked(id)).experienceEndpoints)).not.toContain(off.id);
  });

  it('contain the workflows that it triggers in the requested version, and their custom nodes', async () => {
    const node = await makeFlow(test, user.token, application.id, CUSTOM_NODE);
    const { id } = await endpoint('/a');
    const nodes = [executing(node.id)];
    const own = await flow('experience', id, { name: 'own', nodes });
    const cloud = await flow('cloud', id, { name: 'cloud' });
    const ofVersion = await flow('cloud', id, {
      name: 'of version',
      triggers: [{ type: 'endpoint', key: id, config: { experienceVersion: 'v1' } }],
    });
    await flow('experience', newId());
    const { flows, flowVersions } = await linked(id);
    expect(ids(flows)).toEqual([cloud.id, own.id]);
    expect(flowVersions).toMatchObject({ items: [], totalCount: 0 });
    expect(ids((await linked(id, '?includeCustomNodes=True')).flows)).toEqual([cloud.id, own.id, node.id]);
    await make('/versions', { version: 'v1' });
    const then = await linked(id, '?version=v1&includeCustomNodes=true');
    expect(ids(then.flows)).toEqual([ofVersion.id, node.id]);
    expect(then.flowVersions.items).toMatchObject([{ flowId: own.id, version: 'v1' }]);
  });

  it.each(['/endpoints/{}/linkedResources', '/endpoints/{}/linkedResources?version=v1'])(
    'return 404 for a missing endpoint or version: %s',
    async (path) => {
      expect((await send('GET', path.replace('{}', newId()))).status).toBe(404);
    },
  );

  it('take the same number of statements for 500 endpoints and 200 workflows as for one', async () => {
    const page = await view('page', 'page', '{{component "pump"}}');
    await view('component', 'pump', 'x');
    const { id } = await endpoint('/a', {
      staticReply: { type: 'redirect', value: '/r77/x' },
      unauthorizedReply: { type: 'page', value: page.id },
    });
    await endpoint('/r77/{x}');
    const own = await flow('experience', id);
    await make('/versions', { version: 'few' });
    const counted = statementCounter(test);
    const statements = async (version: string) => {
      const path = `${experience}/endpoints/${id}/linkedResources?version=${version}`;
      await test.client.get(path, { token: user.token });
      const answer = await counted('GET', path, user.token);
      return { body: answer.body, texts: [...new Set(answer.statements)].sort() };
    };
    const [few, fewKept] = [await statements('develop'), await statements('few')];
    await test.dataSource.query(
      `INSERT INTO experience_endpoints SELECT (jsonb_populate_record(e, jsonb_build_object('id', left(md5(n::text || e.id), 24),
         'route', '/x' || n, 'patterns', ARRAY[md5(n::text)]))).* FROM experience_endpoints e, generate_series(1, 498) n WHERE e.id = $1`,
      [id],
    );
    await test.dataSource.query(
      `INSERT INTO flows SELECT (jsonb_populate_record(f, jsonb_build_object('id', left(md5(n::text || f.id), 24), 'name', 'f' || n))).*
       FROM flows f, generate_series(1, 199) n WHERE f.id = $1`,
      [own.id],
    );
    await make('/versions', { version: 'many' });
    const [many, manyKept] = [await statements('develop'), await statements('many')];
    expect(many.texts).toEqual(few.texts);
    expect(manyKept.texts).toEqual(fewKept.texts);
    expect([few.body.flows.totalCount, many.body.flows.totalCount]).toEqual([1, 200]);
    expect([fewKept.body.flowVersions.totalCount, manyKept.body.flowVersions.totalCount]).toEqual([1, 200]);
    for (const { body } of [few, many, fewKept, manyKept]) {
      expect(body.experienceEndpoints.items).toMatchObject([{ route: '/r77/{x}' }]);
      expect(body.experienceViews.count).toBe(2);
    }
    expect((await get('/endpoints?version=many')).totalCount).toBe(500);
  });
});
