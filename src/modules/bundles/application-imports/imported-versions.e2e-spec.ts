import { BARE, importsOf, placeholder as id, yamlOf } from '../../../../test/make/bundle-imports.js';
import { makeFlow } from '../../../../test/make/flows.js';
import { makeApplication } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';

const { test, user, application } = suite();
const imports = importsOf(test, user);
const auth = () => ({ token: user.token });
const experience = (of: string, path: string) => `/applications/${of}/experience/${path}`;

async function make(path: string, body: object): Promise<any> {
  const answer = await test.client.post(`/applications/${application.id}/${path}`, body, auth());
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
}

/** Properties that differ in every copy. */
const OWN = new Set(['creationDate', 'lastUpdated', 'attachedSlugs', 'lastUpdatedById', 'lastUpdatedByType']);

/** Returns all resources of a version of the experience as in responses, with IDs replaced by names. */
async function shownOf(of: string, version: string): Promise<unknown> {
  const get = async (path: string): Promise<any> => {
    const { status, body } = await test.client.get(path, auth());
    expect(status).toBe(200);
    return body;
  };
  const flows = `/applications/${of}/flows/version?flowClass=experience&version=${version}`;
  const [settings, endpoints, views, workflows, groups] = await Promise.all([
    get(experience(of, `versions/${version}`)),
    get(experience(of, `endpoints?version=${version}`)),
    get(experience(of, `views?version=${version}`)),
    get(flows),
    get(experience(of, 'groups')),
  ]);
  const items = [endpoints, views, workflows].map((list) =>
    list.items.map((item: any) =>
      Object.fromEntries(Object.entries(item).filter(([name]) => !OWN.has(name))),
    ),
  );
  const own = Object.fromEntries(Object.entries(settings).filter(([name]) => !OWN.has(name)));
  const names = new Map<string, string>([[of, 'application']]);
  for (const group of groups.items) names.set(group.id, group.name);
  for (const item of items.flat()) names.set(item.id, `${item.name ?? item.route} ${item.version ?? ''}`);
  for (const item of workflows.items) names.set(item.flowId, item.name);
  names.set(settings.id, settings.version);
  const text = JSON.stringify([own, ...items]).replace(/[\da-f]{24}/g, (each) => names.get(each) ?? each);
  return (JSON.parse(text) as any[]).map((list) =>
    Array.isArray(list) ? list.map((item) => JSON.stringify(item)).sort() : list,
  );
}

/** Creates an experience that has changed since two versions of it were created. */
async function fill(): Promise<void> {
  const { token } = user;
  const users = await make('experience/groups', { name: 'Users' });
  const admins = await make('experience/groups', { name: 'Admins', parentId: users.id });
  const frame = await make('experience/views', { name: 'Frame', viewType: 'layout', body: '{{page}}' });
  const home = await make('experience/views', {
    name: 'Home',
    viewType: 'page',
    body: `<a>${application.id}</a>`,
    layoutId: frame.id,
  });
  const start = await make('experience/endpoints', {
    method: 'get',
    route: '/',
    access: 'group',
    experienceGroupIds: [users.id, admins.id],
    staticReply: { type: 'page', value: home.id, statusCode: 200 },
    endpointTags: { page: home.id },
  });
  const old = await make('experience/endpoints', { method: 'post', route: '/old/{id}', access: 'public' });
  const trigger = (key: string) => ({
    triggers: [{ type: 'endpoint', key, config: {}, outputIds: [['reply']] }],
    nodes: [{ id: 'reply', type: 'EndpointReplyNode', config: { pageIdTemplate: home.id } }],
  });
  const answer = await makeFlow(test, token, application.id, {
    name: 'Answer',
    flowClass: 'experience',
    ...trigger(start.id),
  });
  const forgotten = await makeFlow(test, token, application.id, {
    name: 'Forgotten',
    description: 'Once',
    flowClass: 'experience',
    ...trigger(old.id),
  });
  await make('experience/versions', {
    version: 'v1.0',
    description: 'First',
    endpointDefaultCors: true,
    allowedCorsOrigins: ['https://a.example.com'],
    globals: [{ key: 'home', json: JSON.stringify(home.id) }],
    notFoundReply: { type: 'page', value: home.id, statusCode: 404 },
    responseHeaders: { 'x-frame-options': 'DENY' },
  });
  const at = (path: string) => `/applications/${application.id}/${path}`;
  await test.client.patch(at(`experience/views/${home.id}`), { name: 'Start', layoutId: null }, { token });
  await test.client.patch(at(`experience/endpoints/${start.id}`), { experienceGroupIds: [] }, { token });
  await test.client.patch(at(`flows/${answer.id}`), { globals: [{ key: 'a', json: '1' }] }, { token });
  await make('experience/versions', { version: 'v1_0' });
  for (const path of [
    `flows/${forgotten.id}`,
    `experience/endpoints/${old.id}`,
    `experience/views/${frame.id}`,
  ])
    expect((await test.client.delete(at(path), { token })).status).toBe(200);
}

describe('experience versions', () => {
  it('are copied with settings, endpoints and their groups, views and workflows', async () => {
    await fill();
    const { status, body } = await test.client.post(`/applications/${application.id}/clone`, {}, auth());
    expect({ status, errors: body.validationErrors }).toEqual({ status: 201, errors: [] });
    const { id: copy } = body.application;
    for (const version of ['v1.0', 'v1_0', 'develop'])
      expect([version, await shownOf(copy, version)]).toEqual([
        version,
        await shownOf(application.id, version),
      ]);
    const [flows, copied] = await Promise.all(
      [application.id, copy].map((each) =>
        imports.list(each, 'flows?flowClass=experience&includeDeleted=true'),
      ),
    );
    expect(copied!.map(({ name }) => name).sort()).toEqual(flows!.map(({ name }) => name).sort());
    const ids = async (of: string, version: string) =>
      (await imports.list(of, `experience/endpoints?version=${version}`)).map((each) => each.id);
    const [first, second] = [await ids(copy, 'v1.0'), await ids(copy, 'develop')];
    expect(second).toHaveLength(1);
    expect(first).toEqual(expect.arrayContaining(second));
    const restored = await test.client.patch(
      experience(copy, 'versions/develop'),
      { sourceVersionIdOrName: 'v1.0' },
      auth(),
    );
    expect(restored.status).toBe(200);
    const endpoints = await imports.list(copy, 'experience/endpoints');
    expect(endpoints.map(({ route, experienceGroups }) => [route, experienceGroups.length]).sort()).toEqual([
      ['/', 2],
      ['/old/{id}', 0],
    ]);
  });

  it('are imported from third-party bundles in any order, even without a description of the version itself', async () => {
    const page = (name: string, version?: string) => ({
      id: id('experienceView', 'home'),
      name,
      viewType: 'page',
      localFilename: `./${name}.hbs`,
      ...(version ? { version } : {}),
    });
    const flow = (version: string) => ({
      id: id('flowVersion', `answer-${version}`),
      flowId: id('flow', 'answer'),
      name: 'Answer',
      description: 'GET /',
      version,
      enabled: true,
      globals: [],
      triggers: [{ type: 'endpoint', key: id('experienceEndpoint', 'get'), outputIds: [] }],
      nodes: [],
    });
    const endpoint = (version?: string) => ({
      id: id('experienceEndpoint', 'get'),
      method: 'get',
      route: '/',
      unauthorizedReply: { type: 'page', value: id('experienceView', 'home') },
      ...(version ? { version } : {}),
    });
    const { status, body } = await imports.new({
      ...BARE,
      'experience/1_0/endpoints.yaml': yamlOf('ExperienceEndpoint', [endpoint()]),
      'experience/1_0/pages/pages.yaml': yamlOf('ExperienceView', [page('Old')]),
      'experience/1_0/pages/Old.hbs': 'old',
      'experience/1_0/version.yaml': yamlOf('ExperienceVersion', [
        { version: '1.0', endpointDefaultCors: true },
      ]),
      'experience/1_0/workflows/Answer.yaml': yamlOf('ExperienceFlowVersion', [flow('1.0')]),
      'experience/2/endpoints.yaml': yamlOf('ExperienceEndpoint', [endpoint('2')]),
      'experience/develop/endpoints.yaml': yamlOf('ExperienceEndpoint', [endpoint('develop')]),
      'experience/develop/pages/pages.yaml': yamlOf('ExperienceView', [page('New', 'develop')]),
      'experience/develop/pages/New.hbs': 'new',
      'experience/develop/version.yaml': yamlOf('ExperienceVersion', [
        { id: id('experienceVersion', 'develop'), version: 'develop', globals: [{ key: 'a', json: '1' }] },
      ]),
      'experience/develop/workflows/Answer.yaml': yamlOf('ExperienceFlowVersion', [flow('develop')]),
    });
    expect({ status, errors: body.validationErrors }).toEqual({ status: 201, errors: [] });
    const { id: made } = body.application;
    const versions = await imports.list(made, 'experience/versions');
    expect(versions.map(({ version, endpointDefaultCors }) => [version, endpointDefaultCors])).toEqual([
      ['1.0', true],
      ['2', false],
      ['develop', false],
    ]);
    expect(versions[2].globals).toEqual([{ key: 'a', json: '1' }]);
    const [view] = await imports.list(made, 'experience/views');
    expect(view).toMatchObject({ name: 'New', body: 'new' });
    expect(await imports.list(made, 'experience/views?version=1.0')).toMatchObject([
      { id: view.id, name: 'Old', body: 'old' },
    ]);
    expect(await imports.list(made, 'experience/views?version=2')).toEqual([]);
    const endpoints = await imports.list(made, 'experience/endpoints?version=2');
    expect(endpoints).toMatchObject([{ unauthorizedReply: { type: 'page', value: view.id } }]);
    const [answer] = await imports.list(made, 'flows?flowClass=experience');
    expect(answer).toMatchObject({
      name: 'Answer',
      description: 'GET /',
      triggers: [{ key: endpoints[0].id }],
    });
    expect(await imports.list(made, `flows/${answer.id}/versions`)).toMatchObject([{ version: '1.0' }]);
  });

  it('keep their contents if they exist, and are added if requested', async () => {
    await fill();
    const { body: exported } = await test.client.post(`/applications/${application.id}/clone`, {}, auth());
    const target = exported.application.id;
    await test.client.patch(experience(target, 'versions/v1.0'), { description: 'Mine' }, auth());
    const before = await shownOf(target, 'v1.0');
    const again = (options: object) =>
      imports.send(`/applications/${target}/import`, {
        options: { fromApplicationId: application.id, ...options },
      });
    expect((await again({ conflictBehavior: 'retain' })).status).toBe(200);
    expect(await shownOf(target, 'v1.0')).toEqual(before);
    expect((await again({ conflictBehavior: 'error' })).status).toBe(400);
    expect(await again({ conflictBehavior: 'replace' })).toMatchObject({ status: 200, body: { id: target } });
    expect(await shownOf(target, 'v1.0')).toEqual(await shownOf(application.id, 'v1.0'));
    expect((await again({ include: ['ExperienceVersion'] })).status).toBe(200);
    const [{ validationErrors }] = await imports.log(target);
    expect(validationErrors.map(({ type, name, message }: any) => [type, name, message])).toEqual(
      ['v1.0', 'v1_0'].map((name) => [
        'ExperienceVersion',
        name,
        'experienceVersion.version is not available',
      ]),
    );
    const other = await makeApplication(test, user.token);
    const into = await imports.send(`/applications/${other.id}/import`, {
      options: { fromApplicationId: application.id, include: ['ExperienceVersion', 'ExperienceFlowVersion'] },
    });
    expect(into.status).toBe(200);
    expect(await imports.list(other.id, 'experience/endpoints?version=v1.0')).toEqual([]);
    const flows = `flows/version?flowClass=experience&version=v1.0`;
    expect((await imports.list(other.id, flows)).map(({ name }) => name)).toEqual(['Answer', 'Forgotten']);
  });
});
