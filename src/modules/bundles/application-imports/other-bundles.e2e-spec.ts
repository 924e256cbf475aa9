import { stringify } from 'yaml';
import { BARE, importsOf, placeholder as id, yamlOf } from '../../../../test/make/bundle-imports.js';
import { makeFlow } from '../../../../test/make/flows.js';
import { makeApplication, makeUser } from '../../../../test/make/make.js';
import { Config } from '../../../config/config.js';
import { suite } from '../../../../test/setup/suite.js';

const { test, user } = suite();
const imports = importsOf(test, user);

const BOM = '\ufeff';
/** Writes a resource file as other programs do: block style with CRLF line endings. */
const blockOf = (resourceType: string, resources: readonly object[]): string =>
  `${BOM}# by hand\n${stringify({ version: 1, resources, resourceType })}`.replaceAll('\n', '\r\n');
/** Placeholder in the format of other programs. */
const theirs = (word: string, name: string): string => `~others-${word}-${name}-0~`;
const names = (items: any[]): string[] => items.map(({ name }) => name).sort();

/** Imports a bundle without errors and returns the ID of the created application. */
async function made(contents: Record<string, string>): Promise<string> {
  const { status, body } = await imports.new({ ...BARE, ...contents });
  expect({ status, errors: body.validationErrors }).toEqual({ status: 201, errors: [] });
  return body.application.id;
}

describe('third-party bundle', () => {
  it('can contain other line endings, byte order marks, comments, orders and prefixes, and unknown files and properties', async () => {
    const gate = theirs('device', 'gate');
    const made1 = await made({
      '__MACOSX/._application.yaml': '\u0000\u0005',
      '.github/workflows/check.yml': 'a: 1\n---\nb: 2\n',
      'webhooks.yml': blockOf('Webhook', [{ name: 'Orders', colour: 'red', basicAuthUsername: null }]),
      'more/all/devices.YAML': blockOf('DeviceTree', [
        {
          unknown: { deep: [1] },
          children: [],
          name: 'Gate',
          deviceClass: 'gateway',
          id: gate,
          tags: { of: ['a', 'b'], one: gate },
          attributes: {
            flow: { dataType: 'number', attributeTags: { unit: 'l' } },
            on: { dataType: 'boolean' },
          },
        },
      ]),
      'deviceRecipes.yaml': blockOf('DeviceRecipe', [
        { name: 'Valves', deviceClass: 'peripheral', gatewayId: gate, tags: [], attributes: {} },
      ]),
      'empty.yaml': 'resourceType: Webhook\nresources:\nversion: 1\n',
      'README.md': `${BOM}# https://~exportplaceholderid-docs-url~/a ${gate}\r\n`,
    });
    const [device] = await imports.list(made1, 'devices');
    expect(device).toMatchObject({
      name: 'Gate',
      tags: [
        { key: 'of', value: 'a' },
        { key: 'of', value: 'b' },
        { key: 'one', value: device.id },
      ],
      attributes: [
        { name: 'flow', dataType: 'number', attributeTags: { unit: 'l' } },
        { name: 'on', dataType: 'boolean' },
      ],
    });
    expect(await imports.list(made1, 'device-recipes')).toMatchObject([
      { gatewayId: device.id, attributes: [] },
    ]);
    expect(names(await imports.list(made1, 'webhooks'))).toEqual(['Orders']);
    const readme = await test.client.get(`/applications/${made1}/readme`, { token: user.token });
    const { host } = new URL(test.app.get(Config).publicUrl);
    expect(readme.body.content).toBe(`# http://${host}/docs/a ${device.id}\r\n`);
  });

  it('can reference parents instead of nesting children, in any order', async () => {
    const group = (name: string, parent?: string, more: object = {}) => ({
      id: theirs('experienceGroup', name),
      name,
      parentId: parent ? theirs('experienceGroup', parent) : null,
      ...more,
    });
    const system = (name: string, parent?: string) => ({
      id: id('device', name),
      name,
      deviceClass: 'system',
      ...(parent ? { parentId: id('device', parent) } : {}),
    });
    const application = await made({
      'devices.yaml': yamlOf('DeviceTree', [system('c', 'b'), system('b', 'a'), system('a')]),
      'experience/groups.yaml': blockOf('ExperienceGroupTree', [
        group('Low', 'Middle'),
        group('Top', undefined, { children: [group('Middle', 'Top', { deviceIds: [id('device', 'c')] })] }),
        group('Self', 'Self'),
        group('One', 'Other'),
        group('Other', 'One'),
      ]),
      'experience/users.yaml': blockOf('ExperienceUser', [
        {
          email: 'ada@example.com',
          password: 'qwerty',
          experienceGroupIds: [theirs('experienceGroup', 'Low')],
        },
      ]),
    });
    const devices = await imports.list(application, 'devices');
    const named = (items: any[], name: string) => items.find((item) => item.name === name);
    expect(named(devices, 'c').parentId).toBe(named(devices, 'b').id);
    expect(named(devices, 'b').parentId).toBe(named(devices, 'a').id);
    const groups = await imports.list(application, 'experience/groups');
    expect(named(groups, 'Low').parentId).toBe(named(groups, 'Middle').id);
    expect(named(groups, 'Middle')).toMatchObject({
      parentId: named(groups, 'Top').id,
      deviceIds: [named(devices, 'c').id],
    });
    const loops = ['Self', 'One', 'Other'].map((name) => named(groups, name).parentId ?? null);
    expect(loops.filter((parentId) => parentId === null).length).toBeGreaterThanOrEqual(2);
    expect(await imports.list(application, 'experience/users')).toHaveLength(1);
  });

  it('can contain views in any folder, pages before their layouts, and inline bodies', async () => {
    const view = (name: string, viewType: string, more: object) => ({
      id: theirs('experienceView', name),
      name,
      viewType,
      viewTags: {},
      description: '',
      ...more,
    });
    const application = await made({
      'experience/develop/a/pages.yaml': blockOf('ExperienceView', [
        view('Home', 'page', {
          localFilename: '../bodies/home.hbs',
          layoutId: theirs('experienceView', 'Frame'),
        }),
        view('Inline', 'page', { body: '<p>' }),
        view('Bare', 'component', {}),
      ]),
      'experience/develop/bodies/home.hbs': `${BOM}<h1>\r\n`,
      'experience/develop/z/layouts.yaml': blockOf('ExperienceView', [
        view('Frame', 'layout', { localFilename: 'frame.hbs' }),
      ]),
      'experience/develop/z/frame.hbs': '{{page}}',
    });
    const views = await imports.list(application, 'experience/views');
    const shown = Object.fromEntries(views.map(({ name, body, layoutName }) => [name, [body, layoutName]]));
    expect(shown).toEqual({
      Bare: ['', undefined],
      Frame: ['{{page}}', undefined],
      Home: ['<h1>\r\n', 'Frame'],
      Inline: ['<p>', undefined],
    });
  });

  it('can contain rows with reordered, additional or missing columns', async () => {
    const column = (name: string, dataType: string) => ({ name, dataType, constraint: 'optional' });
    const application = await made({
      'tables.yaml': blockOf('DataTable', [
        {
          name: 'Log',
          localFilename: 'rows/log.csv',
          columns: [column('a', 'string'), column('n', 'number')],
        },
        { name: 'Empty', localFilename: 'rows/empty.csv', columns: [column('a', 'string')] },
        { name: 'None', columns: [column('a', 'string')] },
      ]),
      'rows/log.csv': `${BOM}createdAt,n,"a",updatedAt\r\n2020-01-01,1e3,"x\r\n""y""",\r\n,,plain\r\n`,
      'rows/empty.csv': '',
    });
    const tables = await imports.list(application, 'data-tables');
    const rowsOf = async (name: string) => {
      const { id: table } = tables.find((each) => each.name === name);
      return (await imports.list(application, `data-tables/${table}/rows`)).map(({ a, n }) => [a, n]);
    };
    expect(await rowsOf('Log')).toEqual([
      ['x\r\n"y"', 1000],
      ['plain', null],
    ]);
    expect([await rowsOf('Empty'), await rowsOf('None')]).toEqual([[], []]);
  });

  it('can use singular types for trees, placeholders without a name, and missing rows files', async () => {
    const unnamed = id('device', '');
    const { status, body } = await imports.new({
      ...BARE,
      'devices.yaml': yamlOf('Device', [
        { id: unnamed, name: '泵', deviceClass: 'gateway', tags: [{ key: 'own', value: `of ${unnamed}` }] },
      ]),
      'experience/groups.yaml': yamlOf('ExperienceGroup', [{ name: 'All', deviceIds: [unnamed] }]),
      'dataTables/log.yaml': yamlOf('DataTable', [
        { name: 'Log', localFilename: './log.csv', columns: [] },
        { name: 'Other', columns: [{ name: 'a', dataType: 'string', constraint: 'optional' }] },
      ]),
    });
    expect({ status, errors: body.validationErrors }).toEqual({
      status: 201,
      errors: [{ type: 'DataTableRow', name: 'Log', message: 'importBundle has no file dataTables/log.csv' }],
    });
    const [device] = await imports.list(body.application.id, 'devices');
    expect(device).toMatchObject({
      deviceClass: 'gateway',
      tags: [{ key: 'own', value: `of ${device.id}` }],
    });
    const [group] = await imports.list(body.application.id, 'experience/groups');
    expect(group.deviceIds).toEqual([device.id]);
    expect(names(await imports.list(body.application.id, 'data-tables'))).toEqual(['Log', 'Other']);
  });

  it('reports rows with duplicate IDs, and rejects rows that are not UTF-8', async () => {
    const table = (csv: string | Buffer) => ({
      ...BARE,
      't.yaml': blockOf('DataTable', [
        {
          name: 'T',
          localFilename: 't.csv',
          columns: [{ name: 'a', dataType: 'string', constraint: 'optional' }],
        },
      ]),
      't.csv': csv,
    });
    const same = '5f'.repeat(12);
    const { body } = await imports.new(table(`id,a\n${same},1\n${same},2\n,3\n`));
    const message = 'Line 3 of t.csv: a value that must be unique already exists';
    expect(body.validationErrors).toEqual([{ type: 'DataTableRow', name: 'T', message }]);
    for (const encoding of ['latin1', 'utf16le'] as const) {
      const refused = await imports.new(table(Buffer.from(`${BOM.repeat(2)}a\nä\n`, encoding)));
      expect(refused).toMatchObject({ status: 400, body: { message: 't.csv is not in UTF-8' } });
    }
    const refused = await imports.new(table('a\n1\n2,3\n'));
    expect(refused).toMatchObject({ status: 400, body: { message: 't.csv is not valid CSV at line 3' } });
  });

  it('gets new webhook tokens, whatever tokens it contains', async () => {
    const own = theirs('webhookToken', 'own');
    const tokens = [own, own, 'Yq0dXbQkzp3nT7cWc1HfR', 'short', '', 7, { a: 1 }, 'x'.repeat(10_000)];
    const bundle = {
      'webhooks.yaml': blockOf(
        'Webhook',
        tokens.map((token, i) => ({ name: `${i}`, token })),
      ),
      'README.md': own,
    };
    const all: string[] = [];
    for (let times = 0; times < 2; times++) {
      const application = await made(bundle);
      const webhooks = await imports.list(application, 'webhooks');
      const readme = await test.client.get(`/applications/${application}/readme`, { token: user.token });
      expect(readme.body.content).toBe(webhooks.find(({ name }) => name === '0').token);
      all.push(...webhooks.map(({ token }) => token));
    }
    expect(new Set(all).size).toBe(2 * tokens.length);
    for (const token of all) {
      expect(token).toMatch(/^[\w-]{21}$/);
      expect(tokens).not.toContain(token);
    }
  });

  it('can contain workflow versions without a class', async () => {
    const edge = { id: id('flow', 'edge'), name: 'Edge', flowClass: 'edge', minimumAgentVersion: '1.0.0' };
    const application = await made({
      'a/versions.yaml': blockOf('FlowVersion', [
        { id: id('flowVersion', 'v1'), flowId: edge.id, version: 'v1', minimumAgentVersion: '1.0.0' },
      ]),
      'workflows/Edge.yaml': blockOf('Flow', [{ ...edge, defaultVersionId: id('flowVersion', 'v1') }]),
    });
    const [flow] = await imports.list(application, 'flows?flowClass=edge');
    const [version] = await imports.list(application, `flows/${flow.id}/versions`);
    expect(version).toMatchObject({ flowClass: 'edge', version: 'v1' });
    expect(flow.defaultVersionId).toBe(version.id);
  });

  it('reports missing references and invalid resources, and still imports the rest', async () => {
    const endpoint = (name: string, route: string, more: object = {}) => ({
      id: id('experienceEndpoint', name),
      method: 'get',
      route,
      ...more,
    });
    const { status, body } = await imports.new({
      ...BARE,
      'devices.yaml': yamlOf('DeviceTree', [
        { id: id('device', 'bad'), name: 7, deviceClass: 'gateway', children: [{ name: 'Child' }] },
        {
          id: id('device', 'valve'),
          name: 'Valve',
          deviceClass: 'peripheral',
          gatewayId: id('device', 'bad'),
        },
      ]),
      'experience/groups.yaml': yamlOf('ExperienceGroupTree', [{ name: '', children: [{ name: 'Below' }] }]),
      'experience/develop/endpoints.yaml': yamlOf('ExperienceEndpoint', [
        endpoint('a', '/a/{x}'),
        endpoint('b', '/a/{y}'),
        endpoint('c', '/c', { access: 'group', experienceGroupIds: [id('experienceGroup', 'gone')] }),
      ]),
      'experience/develop/pages/page.yaml': yamlOf('ExperienceView', [
        { id: id('experienceView', 'a'), name: 'A', viewType: 'page', layoutId: id('experienceView', 'l') },
        { id: id('experienceView', 'l'), name: 'L', viewType: 'cat' },
        { name: 'Lost', viewType: 'page', localFilename: './Lost.hbs' },
      ]),
      'experience/v1/endpoints.yaml': yamlOf('ExperienceEndpoint', [
        endpoint('a', '/a', { version: 'v1' }),
        endpoint('a', '/b', { version: 'v1' }),
        endpoint('d', '/d', { version: 5 }),
      ]),
      'experience/bad/version.yaml': yamlOf('ExperienceVersion', [{ version: 'v2', globals: 'x' }]),
      'experience/bad/endpoints.yaml': yamlOf('ExperienceEndpoint', [endpoint('e', '/e')]),
      'experience/bad/workflows/W.yaml': yamlOf('ExperienceFlowVersion', [
        { flowId: id('flow', 'w'), name: 'W', triggers: [], nodes: [] },
      ]),
      'notebooks/N.yaml': yamlOf('Notebook', [{ name: 'N' }]),
      'flowVersions.yaml': yamlOf('FlowVersion', [{ flowId: id('flow', 'gone'), version: 'v1' }]),
    });
    expect(status).toBe(201);
    const told = body.validationErrors.map(({ type, name, message }: any) => `${type} ${name}: ${message}`);
    expect(told.sort()).toEqual(
      [
        'Device undefined: devices.yaml: device.name must be a string',
        'ExperienceEndpoint /a/{y}: The route is not available',
        `ExperienceEndpoint /b: Another resource has the same ID`,
        `ExperienceEndpoint /c: It refers to ${id('experienceGroup', 'gone')}, which is not imported`,
        'ExperienceGroup : experienceGroup.name must have at least 1 characters',
        'ExperienceVersion v2: experienceVersion.globals must be an array',
        'ExperienceView L: experienceView.viewType must be one of layout, page, component',
        'ExperienceView Lost: importBundle has no file "experience/develop/pages/Lost.hbs"',
        `FlowVersion v1: It refers to ${id('flow', 'gone')}, which is not imported`,
        'FlowVersion v1: flowVersion.flowId must be the ID of a workflow of the same class',
        'Notebook undefined: 1 resources of this type are omitted: the type is not supported',
      ].sort(),
    );
    const ofRoute = body.validationErrors.find(({ name }: any) => name === '/a/{y}');
    expect(ofRoute.id).toBe(id('experienceEndpoint', 'b'));
    const { id: application } = body.application;
    const devices = await imports.list(application, 'devices');
    expect(devices.map(({ name, parentId, deviceClass }) => [name, parentId, deviceClass]).sort()).toEqual([
      ['Child', undefined, 'standalone'],
      ['Valve', undefined, 'floating'],
    ]);
    expect(names(await imports.list(application, 'experience/groups'))).toEqual(['Below']);
    const views = await imports.list(application, 'experience/views');
    expect(views.map(({ name, layoutId }) => [name, layoutId])).toEqual([['A', undefined]]);
    const endpoints = await imports.list(application, 'experience/endpoints?version=v1');
    expect(endpoints.map(({ route }) => route).sort()).toEqual(['/a', '/d']);
    expect(await imports.list(application, 'flows?flowClass=experience&includeDeleted=true')).toEqual([]);
  });

  it('reports an unknown type only if it was requested', async () => {
    const contents = { ...BARE, 'notebooks/N.yaml': yamlOf('Notebook', [{ name: 'N' }]) };
    const told = async (include: string[]) =>
      (await imports.new(contents, { options: { include } })).body.validationErrors.length;
    expect([await told(['Device']), await told(['Notebook'])]).toEqual([0, 1]);
  });

  it('cannot access resources of another application by ID', async () => {
    const stranger = await makeUser(test);
    const other = await makeApplication(test, stranger.token);
    const flow = await makeFlow(test, stranger.token, other.id, { name: 'Theirs' });
    const answer = await makeFlow(test, stranger.token, other.id, { flowClass: 'experience' });
    const make = async (path: string, body: object): Promise<any> =>
      (await test.client.post(`/applications/${other.id}/${path}`, body, { token: stranger.token })).body;
    const device = await make('devices', { name: 'Gate', deviceClass: 'gateway' });
    const group = await make('experience/groups', { name: 'Group' });
    const layout = await make('experience/views', { name: 'L', viewType: 'layout' });
    const { body } = await imports.new({
      'application.yaml': yamlOf('Application', [{ id: other.id, name: 'Mine' }]),
      'v.yaml': yamlOf('FlowVersion', [{ flowId: flow.id, version: 'v1' }]),
      'd.yaml': yamlOf('DeviceTree', [
        { name: 'D', deviceClass: 'peripheral', gatewayId: device.id, parentId: device.id },
      ]),
      'g.yaml': yamlOf('ExperienceGroupTree', [{ name: 'G', parentId: group.id, deviceIds: [device.id] }]),
      'u.yaml': yamlOf('ExperienceUser', [{ email: 'a@example.com', experienceGroupIds: [group.id] }]),
      'experience/v1/w.yaml': yamlOf('ExperienceFlowVersion', [
        { flowId: answer.id, name: 'W', triggers: [], nodes: [] },
      ]),
      'experience/v1/e.yaml': yamlOf('ExperienceEndpoint', [
        { method: 'get', route: '/', experienceGroupIds: [group.id] },
      ]),
      'experience/develop/p.yaml': yamlOf('ExperienceView', [
        { name: 'P', viewType: 'page', layoutId: layout.id },
      ]),
    });
    expect(body.validationErrors.map(({ type }: any) => type)).toEqual(['FlowVersion']);
    const { id: mine } = body.application;
    const held = async (path: string) => (await imports.list(mine, path))[0];
    expect(await held('devices')).not.toHaveProperty('gatewayId');
    expect(await held('devices')).not.toHaveProperty('parentId');
    expect(await held('experience/groups')).toMatchObject({ deviceIds: [] });
    expect(await held('experience/groups')).not.toHaveProperty('parentId');
    expect(await held('experience/users')).toMatchObject({ experienceGroups: [] });
    expect(await held('experience/endpoints?version=v1')).toMatchObject({ experienceGroups: [] });
    expect(await held('experience/views')).not.toHaveProperty('layoutId');
    for (const { id: theirFlow } of [flow, answer]) {
      const path = `/applications/${other.id}/flows/${theirFlow}/versions`;
      expect((await test.client.get(path, { token: stranger.token })).body.items).toEqual([]);
    }
    const { flowId } = (await imports.list(mine, 'flows/version?flowClass=experience&version=v1'))[0];
    expect(flowId).not.toBe(answer.id);
  });
});
