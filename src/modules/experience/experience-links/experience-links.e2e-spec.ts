import { CUSTOM_NODE, executing, makeFlow } from '../../../../test/make/flows.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';

const { test, user, application } = suite();
let path: string;
beforeEach(() => {
  path = `/applications/${application.id}`;
});

const auth = () => ({ token: user.token });

async function post(rest: string, body: object): Promise<any> {
  const answer = await test.client.post(`${path}/${rest}`, body, auth());
  expect([answer.status, answer.body.message]).toEqual([201, undefined]);
  return answer.body;
}
const makeView = (name: string, viewType = 'page', more: object = {}) =>
  post('experience/views', { name, viewType, ...more });
const linksOf = (id: string, query = '') =>
  test.client.get(`${path}/experience/views/${id}/linkedResources${query}`, auth());
const namesIn = (page: any): string[] => page.items.map(({ name, route }: any) => name ?? route);
const naming = (id: string) => [
  { id: 'reply', type: 'EndpointReplyNode', config: { page: { id } }, outputIds: [[]] },
];

describe('A view', () => {
  it('is linked with its layout, components and pages, and the views that contain it', async () => {
    const frame = await makeView('frame', 'layout', { body: `{{component 'menu (a.b)'}}` });
    const menu = await makeView('menu (a.b)', 'component', { body: '{{component "icon"}}' });
    const icon = await makeView('icon', 'component');
    const page = await makeView('page', 'page', {
      layoutId: frame.id,
      body: '{{#component "icon"}}a{{/component}}',
    });
    await makeView('menu (aXb)', 'component');
    const shown = async (id: string) => namesIn((await linksOf(id)).body.experienceViews);
    expect(await shown(frame.id)).toEqual(['menu (a.b)', 'page']);
    expect(await shown(menu.id)).toEqual(['frame', 'icon']);
    expect(await shown(icon.id)).toEqual(['menu (a.b)', 'page']);
    expect(await shown(page.id)).toEqual(['frame', 'icon']);
  });

  it('is linked with endpoints that reply with it and workflows that refer to it', async () => {
    const page = await makeView('page');
    const reply = { type: 'page', value: page.id };
    await post('experience/endpoints', { method: 'get', route: '/a', staticReply: reply });
    await post('experience/endpoints', { method: 'get', route: '/b', unauthorizedReply: reply });
    const elsewhere = { type: 'redirect', value: page.id };
    await post('experience/endpoints', { method: 'get', route: '/c', staticReply: elsewhere });
    await makeFlow(test, user.token, application.id, { name: 'shows', nodes: naming(page.id) });
    await makeFlow(test, user.token, application.id, { name: 'other', nodes: naming(newId()) });
    const { status, body } = await linksOf(page.id);
    expect(status).toBe(200);
    expect(namesIn(body.experienceEndpoints)).toEqual(['/a', '/b']);
    expect(namesIn(body.flows)).toEqual(['shows']);
    expect(body.flows).toMatchObject({ count: 1, totalCount: 1, applicationId: application.id });
    expect(body.flowVersions).toMatchObject({ items: [], count: 0, totalCount: 0 });
  });

  it('is linked with the resources of a version, and with custom nodes if requested', async () => {
    const frame = await makeView('frame', 'layout');
    const page = await makeView('page', 'page', { layoutId: frame.id });
    const node = await makeFlow(test, user.token, application.id, { ...CUSTOM_NODE, name: 'node' });
    const nodes = [...naming(page.id), executing(node.id)];
    const flow = await makeFlow(test, user.token, application.id, {
      name: 'shows',
      flowClass: 'experience',
      nodes,
    });
    await post('experience/versions', { version: 'v1' });
    await test.client.delete(`${path}/experience/views/${page.id}`, auth());
    await test.client.delete(`${path}/flows/${flow.id}`, auth());
    expect((await linksOf(page.id)).status).toBe(404);
    const { body } = await linksOf(page.id, '?version=v1&includeCustomNodes=true');
    expect(namesIn(body.experienceViews)).toEqual(['frame']);
    expect(body.flowVersions).toMatchObject({
      items: [{ flowId: flow.id, version: 'v1' }],
      totalCount: 1,
    });
    expect(namesIn(body.flows)).toEqual(['node']);
    expect((await linksOf(page.id, '?version=v1')).body.flows.totalCount).toBe(0);
    expect((await linksOf(frame.id, '?version=v2')).status).toBe(404);
    expect((await linksOf(frame.id)).body.flows.totalCount).toBe(0);
  });
});
