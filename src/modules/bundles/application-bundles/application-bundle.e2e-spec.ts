import { jest } from '@jest/globals';
import { parse as parseCsv } from 'csv-parse/sync';
import { BundledApplication, HASH, placeholder as id } from '../../../../test/make/bundles.js';
import { issueAuthority } from '../../../../test/make/certificates.js';
import { CUSTOM_NODE, executing, makeFlow, makeVersion } from '../../../../test/make/flows.js';
import { suite } from '../../../../test/setup/suite.js';
import { BLOBS, BlobMissing, type Blobs } from '../../../lib/blobs/blobs.js';

const { test, user, application } = suite({ EXPORT_INTERVAL: '0' }, { retries: false });

const ALL = {
  includeDevices: true,
  includeFiles: true,
  includePrivateFiles: true,
  includeDataTableRows: true,
};
const bundled = new BundledApplication(test, application, user);
const at = (path: string) => bundled.at(path);
const make = (path: string, body: object) => bundled.make(path, body);
const makeFile = (list: string, body: object, content: string) => bundled.makeFile(list, body, content);
const exported = (body?: object) => bundled.exported(body);

describe('application bundle', () => {
  it('contains the application, its globals and its readme', async () => {
    const { token } = user;
    const globals = [{ key: 'own', json: JSON.stringify(application.id) }];
    await test.client.patch(at(''), { name: 'Pump station', globals, blobUrlTTL: 7_200 }, { token });
    await test.client.patch(at('/readme'), { content: `# ${application.id}` }, { token });
    const { files, yaml } = await exported();
    const own = id('application', 'pumpStation');
    expect(yaml('application.yaml')).toEqual({
      resourceType: 'Application',
      resources: [
        {
          id: own,
          name: 'Pump station',
          globals: [{ key: 'own', json: JSON.stringify(own) }],
          blobUrlTTL: 7_200,
          filesPath: './files',
          readmePath: './README.md',
          exportHash: HASH,
        },
      ],
      version: 1,
    });
    expect(files['README.md']!.toString()).toBe(`# ${own}`);
    const develop = 'experience/develop/version.yaml';
    expect(Object.keys(files)).toEqual(['application.yaml', 'README.md', develop]);
  });

  it('replaces IDs with placeholders wherever they occur in texts', async () => {
    const gateway = await make('/devices', { name: 'Gate 1', deviceClass: 'gateway' });
    const below = { name: 'Valve', deviceClass: 'peripheral', gatewayId: gateway.id };
    const valve = await make('/devices', { ...below, tags: [{ key: 'of', value: `x-${gateway.id}` }] });
    const recipe = await make('/device-recipes', { ...below, name: 'Valves' });
    const webhook = await make('/webhooks', {
      name: 'Orders',
      basicAuthUsername: 'a',
      basicAuthPassword: 'hidden-1',
    });
    const node = await makeFlow(test, user.token, application.id, { ...CUSTOM_NODE, name: 'Average' });
    const flow = await makeFlow(test, user.token, application.id, {
      name: 'Alarm',
      triggers: [{ type: 'webhook', key: webhook.id, outputIds: [['execute']] }],
      nodes: [
        executing(node.id),
        { id: 'http', type: 'HTTPNode', config: { uri: `https://a.example.com/webhooks/${webhook.token}` } },
        { id: 'get', type: 'GetDeviceNode', config: { query: JSON.stringify({ $or: [{ id: valve.id }] }) } },
      ],
    });
    const version = await makeVersion(test, user.token, flow, { version: '1.4.0' });
    await test.client.patch(at(`/flows/${flow.id}`), { defaultVersionId: version.id }, { token: user.token });
    const { files, resources } = await exported(ALL);
    const [gate, itsValve] = resources('devices.yaml');
    expect([gate, itsValve]).toMatchObject([
      { id: id('device', 'gate1'), deviceClass: 'gateway' },
      { gatewayId: id('device', 'gate1'), tags: [{ key: 'of', value: `x-${id('device', 'gate1')}` }] },
    ]);
    expect(resources('deviceRecipes.yaml')).toMatchObject([
      { id: id('deviceRecipe', 'valves'), gatewayId: id('device', 'gate1') },
    ]);
    expect(resources('webhooks.yaml')).toMatchObject([
      { id: id('webhook', 'orders'), token: id('webhookToken', 'orders'), basicAuthUsername: 'a' },
    ]);
    expect(resources('workflows/cloud/Alarm.yaml')).toMatchObject([
      {
        id: id('flow', 'alarm'),
        defaultVersionId: id('flowVersion', '140'),
        triggers: [{ key: id('webhook', 'orders') }],
        nodes: [
          { config: { customNodeId: id('flow', 'average') } },
          { config: { uri: `https://a.example.com/webhooks/${id('webhookToken', 'orders')}` } },
          { config: { query: JSON.stringify({ $or: [{ id: id('device', 'valve') }] }) } },
        ],
      },
    ]);
    expect(resources('workflows/customNode/Average.yaml')).toMatchObject([{ flowClass: 'customNode' }]);
    expect(resources('workflowVersions/1_4_0.yaml')).toMatchObject([
      { id: id('flowVersion', '140'), flowId: id('flow', 'alarm'), version: '1.4.0' },
    ]);
    const text = Object.values(files).join('\n');
    for (const raw of [
      gateway.id,
      valve.id,
      recipe.id,
      webhook.id,
      webhook.token,
      node.id,
      flow.id,
      version.id,
    ])
      expect(text).not.toContain(raw);
    expect(text).not.toContain('hidden-1');
  });

  it('contains devices as a tree, without deleted devices', async () => {
    const system = (name: string, more: object = {}) =>
      make('/devices', { name, deviceClass: 'system', ...more });
    const plant = await system('Plant');
    const hall = await system('Hall', { parentId: plant.id });
    await make('/devices', { name: 'Pump', parentId: hall.id });
    await make('/devices', { name: 'Lamp', parentId: plant.id });
    const gone = await system('Gone');
    await make('/devices', { name: 'Left', parentId: gone.id });
    const gateway = await make('/devices', { name: 'Gate', deviceClass: 'gateway' });
    await make('/devices', { name: 'Bulb', deviceClass: 'peripheral', gatewayId: gateway.id });
    for (const each of [gone, gateway])
      await test.client.delete(at(`/devices/${each.id}`), { token: user.token });
    const { yaml } = await exported({ includeDevices: true });
    const tree = ({ name, children = [] }: any): any => ({
      [name]: Object.assign({}, ...children.map(tree)),
    });
    const { resources, ...rest } = yaml('devices.yaml');
    expect(rest).toEqual({ resourceType: 'DeviceTree', version: 1 });
    expect(Object.assign({}, ...resources.map(tree))).toEqual({
      Bulb: {},
      Left: {},
      Plant: { Hall: { Pump: {} }, Lamp: {} },
    });
    expect(resources[0]).not.toHaveProperty('gatewayId');
    expect(JSON.stringify(resources)).not.toContain('parentId');
  });

  it('contains data table rows and distinguishes empty values from missing ones', async () => {
    const columns = [
      { name: 'serial', dataType: 'string', constraint: 'optional' },
      { name: 'stock', dataType: 'number', constraint: 'optional' },
      { name: 'open', dataType: 'boolean', constraint: 'optional' },
    ];
    const table = await make('/data-tables', { name: 'Parts & more', columns });
    const rows = [
      { serial: '=1+1', stock: -2.5, open: false },
      { serial: '' },
      { serial: `of "${table.id}",\n` },
      {},
    ];
    const { rowIds } = (
      await test.client.post(at(`/data-tables/${table.id}/rows`), rows, { token: user.token })
    ).body;
    const { files, resources } = await exported({ includeDataTableRows: true });
    expect(resources('dataTables/Parts___more.yaml')).toEqual([
      {
        id: id('dataTable', 'partsMore'),
        name: 'Parts & more',
        columns,
        localFilename: './Parts___more.csv',
        exportHash: HASH,
      },
    ]);
    const cast = (value: string, { quoting }: { quoting: boolean }) =>
      value === '' && !quoting ? null : value;
    expect(parseCsv(files['dataTables/Parts___more.csv']!, { cast })).toEqual([
      ['id', 'serial', 'stock', 'open'],
      [rowIds[0], '=1+1', '-2.5', 'false'],
      [rowIds[1], '', null, null],
      [rowIds[2], `of "${id('dataTable', 'partsMore')}",\n`, null, null],
      [rowIds[3], null, null, null],
    ]);
  });

  it('contains files byte for byte, under names valid on every operating system', async () => {
    const odd = Buffer.from([0, 255, 10, 13, 128]).toString('latin1');
    await makeFile('/files', { name: 'a.bin', parentDirectory: '/images/x', contentType: 'image/png' }, odd);
    await makeFile('/files', { name: 'con', parentDirectory: '/images' }, '1');
    await makeFile('/files', { name: 'A?.txt' }, '2');
    await makeFile('/files', { name: 'a_.txt' }, '3');
    await makeFile('/privateFiles', { name: 'secret.txt' }, application.id);
    await make('/files', { name: 'pending.txt', type: 'file' });
    await make('/files', { name: 'gone', type: 'directory' });
    const { files, resources } = await exported({ includeFiles: true, includePrivateFiles: true });
    const found = Object.fromEntries(
      resources('files.yaml').map((file) => [
        file.parentDirectory + file.name,
        file.localFilename && files[file.localFilename.slice(2)]!.toString(),
      ]),
    );
    expect(found).toEqual({
      '/images': undefined,
      '/images/x': undefined,
      '/images/x/a.bin': odd,
      '/images/con': '1',
      '/A?.txt': '2',
      '/a_.txt': '3',
      '/gone': undefined,
    });
    expect(
      Object.keys(files)
        .filter((name) => name.startsWith('files/'))
        .sort(),
    ).toEqual(['files/A_.txt', 'files/a__2.txt', 'files/images/_con', 'files/images/x/a.bin']);
    expect(files['privateFiles/secret.txt']!.toString()).toBe(application.id);
  });

  it('omits devices and contents unless requested, and keeps IDs it cannot resolve', async () => {
    const device = await make('/devices', { name: 'Gate', deviceClass: 'gateway' });
    const of = { deviceClass: 'peripheral', gatewayId: device.id, description: device.id };
    await make('/device-recipes', { ...of, name: 'Valves' });
    await make('/data-tables', { name: 'Parts' });
    await makeFile('/files', { name: 'a.txt' }, 'a');
    const { files, resources } = await exported();
    expect(Object.keys(files).sort()).toEqual([
      'README.md',
      'application.yaml',
      'dataTables/Parts.yaml',
      'deviceRecipes.yaml',
      'experience/develop/version.yaml',
    ]);
    expect(resources('deviceRecipes.yaml')[0]).toMatchObject({ description: device.id });
    expect(resources('deviceRecipes.yaml')[0]).not.toHaveProperty('gatewayId');
    expect(resources('dataTables/Parts.yaml')[0]).not.toHaveProperty('localFilename');
  });

  it('contains no secret, key or token of the application', async () => {
    await make('/credentials', {
      name: 'store',
      type: 'aws',
      awsConfig: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', region: 'eu-central-1', secretAccessKey: 'hidden-2' },
    });
    await make('/webhooks', { name: 'Orders', verificationType: 'twilio', verificationCode: 'hidden-3' });
    const key = await make('/keys', { description: 'hidden-4' });
    const token = await make('/tokens', { name: 'hidden-5' });
    await make('/certificate-authorities', { name: 'Makers', caBundle: (await issueAuthority()).pem });
    const { files, resources } = await exported(ALL);
    expect(resources('credentials.yaml')).toEqual([
      {
        id: id('credential', 'store'),
        name: 'store',
        enabled: true,
        type: 'aws',
        awsConfig: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', region: 'eu-central-1' },
        exportHash: HASH,
      },
    ]);
    expect(resources('certificateAuthorities.yaml')).toMatchObject([{ name: 'Makers', status: 'active' }]);
    const text = Object.values(files).join('\n');
    for (const secret of ['hidden-', key.secret, key.key, token.token]) expect(text).not.toContain(secret);
  });

  it('is identical for identical content, and its hashes show which resources changed', async () => {
    for (const name of ['a', 'b', 'b']) await make('/webhooks', { name });
    await makeFlow(test, user.token, application.id, { name: 'x' });
    await makeFlow(test, user.token, application.id, { name: 'X' });
    const [one, same] = [await exported(ALL), await exported(ALL)];
    expect(same.bytes.equals(one.bytes)).toBe(true);
    expect(one.resources('webhooks.yaml').map((webhook) => webhook.id)).toEqual([
      id('webhook', 'a'),
      id('webhook', 'b'),
      id('webhook', 'b-2'),
    ]);
    expect(Object.keys(one.files)).toEqual(
      expect.arrayContaining(['workflows/cloud/X.yaml', 'workflows/cloud/x_2.yaml']),
    );
    const { items } = (await test.client.get(at('/webhooks?sortField=name'), { token: user.token })).body;
    await test.client.patch(at(`/webhooks/${items[0].id}`), { enabled: false }, { token: user.token });
    const hashes = ({ resources }: typeof one) =>
      resources('webhooks.yaml').map((webhook) => webhook.exportHash);
    const [before, after] = [hashes(one), hashes(await exported(ALL))];
    expect(after.map((hash, i) => hash === before[i])).toEqual([false, true, true]);
  });

  it('contains the experience and the snapshots of its versions', async () => {
    const { token } = user;
    const layout = await make('/experience/views', {
      name: 'Frame',
      viewType: 'layout',
      body: `<a>${application.id}</a>{{page}}`,
    });
    const page = { name: 'Home', viewType: 'page', body: '<h1>\n', layoutId: layout.id };
    const { id: pageId } = await make('/experience/views', page);
    await make('/experience/endpoints', {
      method: 'get',
      route: '/pumps/{id}',
      endpointTags: { page: pageId },
    });
    const flow = await makeFlow(test, token, application.id, { name: 'Answer', flowClass: 'experience' });
    await make('/experience/versions', { version: 'v1.0' });
    const changed = { name: 'Start', body: '<h2>' };
    await test.client.patch(at(`/experience/views/${pageId}`), changed, { token });
    const { files, resources, yaml } = await exported();
    const frame = {
      id: id('experienceView', 'frame'),
      name: 'Frame',
      viewType: 'layout',
      version: 'develop',
      headers: {},
      viewTags: {},
      localFilename: './Frame.hbs',
      exportHash: HASH,
    };
    expect(resources('experience/develop/layouts/layout.yaml')).toEqual([frame]);
    expect(files['experience/develop/layouts/Frame.hbs']!.toString()).toMatch(
      /^<a>~exportplaceholderid-application-.+~<\/a>\{\{page\}\}$/,
    );
    expect(resources('experience/develop/pages/page.yaml')).toMatchObject([
      { id: id('experienceView', 'start'), name: 'Start', layoutId: frame.id, localFilename: './Start.hbs' },
    ]);
    expect(files['experience/develop/pages/Start.hbs']!.toString()).toBe('<h2>');
    expect(resources('experience/develop/endpoints.yaml')).toMatchObject([
      { route: '/pumps/{id}', endpointTags: { page: id('experienceView', 'start') } },
    ]);
    const answer = { flowId: id('flow', 'answer'), name: 'Answer' };
    expect(yaml('experience/develop/workflows/Answer.yaml')).toMatchObject({
      resourceType: 'ExperienceFlowVersion',
      resources: [{ ...answer, version: 'develop' }],
    });
    const kept = { version: 'v1.0' };
    expect(resources('experience/v1_0/version.yaml')).toMatchObject([
      { id: id('experienceVersion', 'v10'), version: 'v1.0' },
    ]);
    expect(resources('experience/develop/version.yaml')).toMatchObject([{ version: 'develop' }]);
    expect(resources('experience/v1_0/pages/page.yaml')).toMatchObject([
      { ...kept, id: id('experienceView', 'start'), name: 'Home', localFilename: './Home.hbs' },
    ]);
    expect(files['experience/v1_0/pages/Home.hbs']!.toString()).toBe('<h1>\n');
    expect(resources('experience/v1_0/workflows/Answer.yaml')).toMatchObject([{ ...answer, ...kept }]);
    expect(Object.values(files).join('\n')).not.toContain(flow.id);
  });

  it('contains users and groups with their links, but no passwords', async () => {
    const device = await make('/devices', { name: 'Gate' });
    const endpoint = await make('/experience/endpoints', { method: 'get', route: '/a', access: 'group' });
    const all = await make('/experience/groups', { name: 'All', deviceIds: [device.id] });
    const some = await make('/experience/groups', {
      name: 'Some',
      parentId: all.id,
      experienceEndpointIds: [endpoint.id],
      deviceQueryJson: JSON.stringify({ id: device.id }),
    });
    await make('/experience/users', {
      email: 'ada@example.com',
      password: 'Battery-Staple-9',
      experienceGroupIds: [some.id],
    });
    const { files, resources } = await exported({ includeDevices: true });
    expect(resources('experience/groups.yaml')).toMatchObject([
      {
        id: id('experienceGroup', 'all'),
        deviceIds: [id('device', 'gate')],
        children: [{ name: 'Some', deviceQueryJson: JSON.stringify({ id: id('device', 'gate') }) }],
      },
    ]);
    const groups = { experienceGroupIds: [id('experienceGroup', 'some')] };
    expect(resources('experience/users.yaml')).toEqual([
      {
        id: id('experienceUser', 'adaExampleCom'),
        email: 'ada@example.com',
        userTags: {},
        ...groups,
        exportHash: HASH,
      },
    ]);
    expect(resources('experience/develop/endpoints.yaml')).toMatchObject([{ route: '/a', ...groups }]);
    expect(Object.values(files).join('\n')).not.toMatch(/argon2|Battery/);
    const without = await exported();
    expect(without.resources('experience/groups.yaml')).toMatchObject([{ deviceIds: [] }]);
  });

  it('restarts when a blob disappears during the export', async () => {
    await makeFile('/files', { name: 'a.txt' }, 'a');
    const blobs = test.app.get<Blobs>(BLOBS);
    jest.spyOn(blobs, 'read').mockRejectedValueOnce(new BlobMissing('gone'));
    const { files } = await exported({ includeFiles: true });
    expect(files['files/a.txt']!.toString()).toBe('a');
    jest.spyOn(blobs, 'read').mockRejectedValue(new BlobMissing('gone'));
    expect(await bundled.ask({ includeFiles: true })).toMatchObject({
      status: 503,
      body: { message: 'The application keeps changing, try again' },
    });
  });
});
