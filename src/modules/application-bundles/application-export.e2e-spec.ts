import { jest } from '@jest/globals';
import { parse as parseCsv } from 'csv-parse/sync';
import { parse } from 'yaml';
import { CallbackReceiver } from '../../../test/callback-receiver.js';
import { issueAuthority } from '../../../test/certificates.js';
import { CUSTOM_NODE, executing, makeFlow, makeVersion } from '../../../test/flows.js';
import { download, endOf, mailedLink, unzippedBytes } from '../../../test/exports.js';
import { makeApplication, makeMember, makeOrg, unique } from '../../../test/make.js';
import { suite } from '../../../test/suite.js';
import { reachable, upload } from '../../../test/upload-forms.js';
import { until } from '../../../test/until.js';
import { BLOBS, BlobMissing, type Blobs } from '../../platform/blobs/blobs.js';

const env: Record<string, string> = { EXPORT_INTERVAL: '0' };
const receiver = new CallbackReceiver();
beforeAll(async () => {
  env.CALLBACK_ORIGINS = await receiver.start();
});
afterAll(() => receiver.stop());
const { test, user, application } = suite(env);

const ALL = {
  includeDevices: true,
  includeFiles: true,
  includePrivateFiles: true,
  includeDataTableRows: true,
};
const at = (path: string) => `/applications/${application.id}${path}`;
const ask = (body: object = {}, token = user.token) => test.client.post(at('/export'), body, { token });
const make = async (path: string, body: object): Promise<any> => {
  const answer = await test.client.post(at(path), body, { token: user.token });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
};

/** What a link leads to: files by their names, and resources by their file. */
async function read(link: string) {
  const response = await download(test, link);
  expect(response.status).toBe(200);
  const bytes = Buffer.from(await response.arrayBuffer());
  const files = await unzippedBytes(bytes);
  const yaml = (name: string) => parse(files[name]!.toString(), { maxAliasCount: 0 });
  return { bytes, files, yaml, resources: (name: string): any[] => yaml(name).resources };
}

async function exported(body: object = {}) {
  const answer = await ask(body);
  expect(answer).toMatchObject({ status: 200, body: { url: expect.any(String) } });
  return read(answer.body.url);
}

const id = (word: string, name: string) => `~exportplaceholderid-${word}-${name}~`;
const HASH = expect.stringMatching(/^[\da-f]{64}$/);

async function makeFile(list: string, body: object, content: string): Promise<any> {
  const file = await make(list, { type: 'file', ...body });
  expect((await upload(reachable(file.upload, test), content)).status).toBeLessThan(300);
  return file;
}

describe('A bundle', () => {
  it('has the application, its globals and its readme', async () => {
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

  it('names what texts name by placeholders, wherever that stands', async () => {
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

  it('has devices as a tree, without those that are deleted', async () => {
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

  it('has rows of data tables, of which each value is told from none', async () => {
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

  it('has files byte by byte, under names that every system takes', async () => {
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

  it('has neither devices nor contents unless these are asked for, and keeps what it does not know', async () => {
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

  it('has no secret, key or token of the application', async () => {
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

  it('is the same for the same content, and its hashes tell what changed', async () => {
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

  it('has the experience, and what its versions keep', async () => {
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
    const { files, resources } = await exported();
    const frame = {
      id: id('experienceView', 'frame'),
      name: 'Frame',
      viewType: 'layout',
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
    expect(resources('experience/develop/workflows/Answer.yaml')).toMatchObject([{ name: 'Answer' }]);
    const kept = { experienceVersionId: id('experienceVersion', 'v10') };
    expect(resources('experience/v1_0/version.yaml')).toMatchObject([
      { id: kept.experienceVersionId, version: 'v1.0' },
    ]);
    expect(resources('experience/develop/version.yaml')).toMatchObject([{ version: 'develop' }]);
    expect(resources('experience/v1_0/pages/page.yaml')).toMatchObject([
      { ...kept, id: id('experienceView', 'start'), name: 'Home', localFilename: './Home.hbs' },
    ]);
    expect(files['experience/v1_0/pages/Home.hbs']!.toString()).toBe('<h1>\n');
    expect(resources('experience/v1_0/workflows/Answer.yaml')).toMatchObject([
      { flowId: id('flow', 'answer'), version: 'v1.0' },
    ]);
    expect(Object.values(files).join('\n')).not.toContain(flow.id);
  });

  it('has users and groups with what they are linked with, and no password', async () => {
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

  it('is begun again where a content goes while it is written', async () => {
    await makeFile('/files', { name: 'a.txt' }, 'a');
    const blobs = test.app.get<Blobs>(BLOBS);
    jest.spyOn(blobs, 'read').mockRejectedValueOnce(new BlobMissing('gone'));
    const { files } = await exported({ includeFiles: true });
    expect(files['files/a.txt']!.toString()).toBe('a');
    jest.spyOn(blobs, 'read').mockRejectedValue(new BlobMissing('gone'));
    expect(await ask({ includeFiles: true })).toMatchObject({
      status: 503,
      body: { message: 'The application keeps changing, try again' },
    });
  });
});

describe('An export', () => {
  it('that is a job is told by mail and callback, with a link as long as the application says', async () => {
    await test.client.patch(at(''), { name: 'Pump station', blobUrlTTL: 7_200 }, { token: user.token });
    const email = `${unique()}@example.com`;
    const { status, body } = await ask({ forceJob: true, email, callbackUrl: `${receiver.origin}/exports` });
    expect([status, body]).toEqual([202, { success: true, jobQueued: true, jobId: expect.any(String) }]);
    expect(await endOf(test, body.jobId)).toMatchObject({ status: 'completed', name: 'application.export' });
    const { resources } = await read(await mailedLink(test, email));
    expect(resources('application.yaml')).toMatchObject([{ name: 'Pump station' }]);
    await until(async () => receiver.told(body.jobId).length > 0);
    const [{ type, data }] = receiver.told(body.jobId);
    expect({ type, data }).toMatchObject({
      type: 'application.export',
      data: { applicationId: application.id, status: 'completed', url: expect.any(String) },
    });
    const left = Date.parse(data.expiresAt) - Date.now();
    expect(left).toBeGreaterThan(3_600_000);
    expect(left).toBeLessThanOrEqual(7_200_000);
  });

  it('of a large application is a job', async () => {
    await test.dataSource.query(
      `INSERT INTO devices (id, creation_date, last_updated, application_id, name, device_class, tags, attributes, keep_duplicates)
       SELECT lpad(to_hex(n), 8, '0') || substr($1, 9), now(), now(), $1, 'Pump ' || n, 'standalone', '[]', '[]', false
       FROM generate_series(1, 501) n`,
      [application.id],
    );
    const email = `${unique()}@example.com`;
    expect((await ask()).status).toBe(200);
    const { status, body } = await ask({ includeDevices: true, email });
    expect(status).toBe(202);
    expect(await endOf(test, body.jobId)).toMatchObject({ status: 'completed' });
    const devices = (await read(await mailedLink(test, email))).resources('devices.yaml');
    expect(new Set(devices.map((device) => device.id)).size).toBe(501);
  });

  it.each([
    [
      { exportType: 'repo', credentialName: 'a', repo: { branch: 'main' } },
      'applicationExport.exportType repo is not served yet',
    ],
    [{ exportType: 'tar' }, 'applicationExport.exportType must be one of zip, repo'],
    [{ includeDevices: 'yes' }, 'applicationExport.includeDevices must be a boolean'],
    [{ email: 'nobody' }, 'applicationExport.email must be an e-mail address'],
    [
      { callbackUrl: 'http://10.0.0.1/' },
      'applicationExport.callbackUrl must be an https URL of a public server, without a user in it',
    ],
    [{ format: 'json' }, 'applicationExport.format is not a property of applicationExport'],
  ])('is not of %j', async (body, message) => {
    const answer = await ask(body);
    expect([answer.status, answer.body]).toEqual([400, { type: 'Validation', message }]);
  });

  it('is for administrators, and stands in the log of the organization', async () => {
    const org = await makeOrg(test, user.token);
    const { id: own, name } = await makeApplication(test, user.token, { orgId: org.id });
    const path = `/applications/${own}/export`;
    for (const [role, status] of [
      ['edit', 403],
      ['admin', 200],
    ] as const) {
      const { token } = await makeMember(test, org.id, role);
      expect((await test.client.post(path, {}, { token })).status).toBe(status);
    }
    const { body } = await test.client.get(`/orgs/${org.id}/audit-logs`, { token: user.token });
    const about = body.items.filter(({ requestAction }: any) => requestAction === 'export');
    expect(about).toMatchObject([
      {
        primaryTargetType: 'Application',
        primaryTargetId: own,
        primaryTargetName: name,
        responseStatus: 200,
      },
    ]);
  });
});
