import { BARE, importsOf, placeholder, yamlOf } from '../../../../test/make/bundle-imports.js';
import { makeMember, makeOrg, makeUser, tokenOf } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { LISTED_AT, listedAs, zipOf } from '../../../../test/make/zip-files.js';

const { test, user } = suite();

const imports = importsOf(test, user);
const id = placeholder;

describe('import into a new application', () => {
  it('creates an application from a third-party bundle with new IDs and updated references', async () => {
    const { status, body } = await imports.new({
      'application.yaml': yamlOf('Application', [
        {
          id: id('application', 'pumps'),
          name: 'Pumps',
          description: 'All pumps',
          globals: [{ key: 'self', json: JSON.stringify(id('application', 'pumps')) }],
          imagePath: './a.png',
          authorName: 'Ada',
          keywords: ['x'],
          readmePath: './README.md',
        },
      ]),
      'README.md': `# ${id('application', 'pumps')}`,
      'index.yaml': 'name: Templates\nresourceTypes:\n',
      'devices.yaml': yamlOf('DeviceTree', [
        {
          id: id('device', 'station'),
          name: 'Station',
          deviceClass: 'system',
          exportHash: 'x',
          children: [
            { id: id('device', 'pump'), name: 'Pump', tags: [{ key: 'of', value: id('device', 'station') }] },
          ],
        },
      ]),
      'dashboards/Main.yaml': yamlOf('Dashboard', [{ id: id('dashboard', 'main'), name: 'Main' }]),
      'webhooks.yaml': yamlOf('Webhook', [
        { id: id('webhook', 'orders'), name: 'Orders', token: id('webhookToken', 'orders'), unknown: 1 },
      ]),
      'workflows/Alarm.yaml': yamlOf('Flow', [
        {
          id: id('flow', 'alarm'),
          name: 'Alarm',
          triggers: [{ type: 'webhook', key: id('webhook', 'orders'), outputIds: [['http']] }],
          nodes: [
            {
              id: 'http',
              type: 'HTTPNode',
              config: { uri: `https://a.example.com/${id('webhookToken', 'orders')}` },
            },
          ],
        },
      ]),
      'workflowVersions/v1.yaml': yamlOf('FlowVersion', [
        { id: id('flowVersion', 'v1'), flowId: id('flow', 'alarm'), version: 'v1', triggers: [], nodes: [] },
      ]),
      'dataTables/Log.yaml': yamlOf('DataTable', [
        {
          id: id('dataTable', 'log'),
          name: 'Log',
          localFilename: './Log.csv',
          columns: [
            { name: 'a', dataType: 'string', constraint: 'optional' },
            { name: 'n', dataType: 'number', constraint: 'optional' },
          ],
        },
      ]),
      'dataTables/Log.csv': `id,a,n\n575ec8687ae143cd83dc4a97,${id('device', 'pump')},1.5\n,"",\n`,
      'files/images/a.txt': 'hello',
      'files/b.yaml': 'not: ours',
    });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { application: { name: 'Pumps', description: 'All pumps', ownerId: user.id } },
    });
    const { id: made, globals } = body.application;
    expect(globals).toEqual([{ key: 'self', json: JSON.stringify(made) }]);
    expect(body.validationErrors).toEqual([
      { type: 'Dashboard', message: '1 resources of this type are omitted: the type is not supported' },
    ]);
    const devices = await imports.list(made, 'devices');
    const [pump, station] = ['Pump', 'Station'].map((name) => devices.find((device) => device.name === name));
    expect(pump).toMatchObject({ parentId: station.id, tags: [{ key: 'of', value: station.id }] });
    const [webhook] = await imports.list(made, 'webhooks');
    const [flow] = await imports.list(made, 'flows');
    expect(flow).toMatchObject({
      name: 'Alarm',
      enabled: false,
      triggers: [{ key: webhook.id }],
      nodes: [{ config: { uri: `https://a.example.com/${webhook.token}` } }],
    });
    expect(await imports.list(made, `flows/${flow.id}/versions`)).toMatchObject([
      { version: 'v1', flowId: flow.id },
    ]);
    const [table] = await imports.list(made, 'data-tables');
    expect(await imports.list(made, `data-tables/${table.id}/rows`)).toMatchObject([
      { id: '575ec8687ae143cd83dc4a97', a: pump.id, n: 1.5 },
      { a: '', n: null },
    ]);
    const files = await imports.list(made, 'files');
    expect(files.map((file) => [file.parentDirectory + file.name, file.type, file.status]).sort()).toEqual([
      ['/b.yaml', 'file', 'completed'],
      ['/images', 'directory', 'completed'],
      ['/images/a.txt', 'file', 'completed'],
    ]);
    const readme = await test.client.get(`/applications/${made}/readme`, { token: user.token });
    expect(readme.body.content).toBe(`# ${made}`);
    const { body: logs } = await test.client.get(`/applications/${made}/importLogs`, { token: user.token });
    expect(logs).toMatchObject([
      { applicationId: made, status: 'completed', importSourceType: 'importBundle' },
    ]);
  });

  it('omits and reports invalid resources', async () => {
    const { status, body } = await imports.new({
      ...BARE,
      'devices.yaml': yamlOf('DeviceTree', [
        { id: id('device', 'a'), name: 'A', tags: [{ key: 'of', value: id('device', 'gone') }] },
        { id: id('device', 'a'), name: 'Same' },
        { id: id('device', 'b'), name: 7 },
        {
          name: 'C',
          attributes: [
            { name: 'x', dataType: 'number' },
            { name: 'x', dataType: 'string' },
          ],
        },
      ]),
      'dataTables/T.yaml': yamlOf('DataTable', [
        {
          name: 'T',
          localFilename: './T.csv',
          columns: [
            { name: 'u', dataType: 'number', constraint: 'unique' },
            { name: 'b', dataType: 'boolean', constraint: 'required' },
          ],
        },
      ]),
      'dataTables/T.csv': 'u,b\n1,true\n1,true\nx,true\n2,\n3,maybe\n4,false\n',
      'files.yaml': yamlOf('File', [
        { name: 'a.txt', type: 'file', localFilename: './files/a.txt' },
        { name: 'lost.txt', type: 'file', localFilename: './files/lost.txt' },
        { name: 'a.txt', type: 'file', localFilename: './files/a.txt' },
      ]),
      'files/a.txt': 'a',
    });
    expect(status).toBe(201);
    const made = body.application.id;
    expect((await imports.list(made, 'devices')).map(({ name }) => name)).toEqual(['A']);
    expect(
      await imports.list(made, `data-tables/${(await imports.list(made, 'data-tables'))[0].id}/rows`),
    ).toMatchObject([
      { u: 1, b: true },
      { u: 4, b: false },
    ]);
    expect(await imports.list(made, 'files')).toHaveLength(1);
    const told = body.validationErrors.map(({ type, name, message }: any) => `${type} ${name}: ${message}`);
    expect(told.sort()).toEqual(
      [
        'Device Same: Another resource has the same ID',
        `Device A: It refers to ${id('device', 'gone')}, which is not imported`,
        'Device undefined: devices.yaml: device.name must be a string',
        'Device C: device.attributes.1.name is a duplicate',
        'DataTableRow T: Line 3 of dataTables/T.csv: a value that must be unique already exists',
        'DataTableRow T: Line 4 of dataTables/T.csv: u must be a number',
        'DataTableRow T: Line 5 of dataTables/T.csv: b is required',
        'DataTableRow T: Line 6 of dataTables/T.csv: b must be true or false',
        'File lost.txt: Its content is not in the bundle',
        'File a.txt: A file or directory with this name already exists',
      ].sort(),
    );
  });

  it('is aborted without writing anything after too many errors', async () => {
    const devices = Array.from({ length: 101 }, (_, i) => ({ name: i }));
    const { status, body } = await imports.new({ ...BARE, 'devices.yaml': yamlOf('DeviceTree', devices) });
    expect(status).toBe(422);
    expect(body).toMatchObject({ type: 'Validation', message: 'Too many validation errors occurred.' });
    expect(body.validationErrors).toHaveLength(100);
    const rows = 'u\n' + '1\n'.repeat(103);
    const late = await imports.new({
      ...BARE,
      'T.yaml': yamlOf('DataTable', [
        {
          name: 'T',
          localFilename: './T.csv',
          columns: [{ name: 'u', dataType: 'number', constraint: 'unique' }],
        },
      ]),
      'T.csv': rows,
    });
    expect(late.status).toBe(422);
    const { body: all } = await test.client.get('/applications', { token: user.token });
    expect(all.items).toEqual([]);
  });

  it('imports only the requested parts of a bundle', async () => {
    const bundle = {
      ...BARE,
      'application.yaml': yamlOf('Application', [{ name: 'A', globals: [{ key: 'a', json: '1' }] }]),
      'devices.yaml': yamlOf('DeviceTree', [{ name: 'D' }]),
      'webhooks.yaml': yamlOf('Webhook', [{ name: 'W' }]),
      'files/a.txt': 'a',
    };
    const held = async ({ body }: { body: any }) => {
      const { id: made, globals } = body.application;
      const names = ['devices', 'webhooks', 'files'].map(
        async (path) => (await imports.list(made, path)).length,
      );
      return [globals?.length ?? 0, ...(await Promise.all(names))];
    };
    expect(await held(await imports.new(bundle))).toEqual([1, 1, 1, 1]);
    expect(await held(await imports.new(bundle, { includeDevices: 'false', includeFiles: '0' }))).toEqual([
      1, 0, 1, 0,
    ]);
    expect(await held(await imports.new(bundle, { options: { include: ['Device', 'File'] } }))).toEqual([
      0, 1, 0, 1,
    ]);
    expect(
      await held(await imports.new(bundle, { includeFiles: 'false', options: { include: ['File'] } })),
    ).toEqual([0, 0, 0, 0]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['an option', { options: { colour: 'red' } }, 'options.colour is not a property of options'],
    ['options', { options: '{' }, 'options must be JSON'],
    ['a type', { options: { include: ['Cat'] } }, 'options.include.0 must be one of'],
    ['a field', { colour: 'red' }, 'colour is not a field of the form'],
    ['a choice', { includeDevices: 'maybe' }, 'includeDevices must be true or false'],
    ['a kind of owner', { ownerType: 'cat' }, 'ownerType must be one of'],
    ['an owner', { ownerId: 'x' }, 'ownerId must be the ID'],
    ['an address', { email: 'x' }, 'options.email'],
    ['a receiver', { options: { callbackUrl: 'http://127.0.0.1/a' } }, 'options.callbackUrl must be'],
    [
      'two bundles',
      { options: { importUrl: 'https://example.com/a.zip' } },
      'importBundle: the form must have one bundle',
    ],
  ])('rejects %s that is invalid', async (_, fields, message) => {
    const answer = await imports.new(BARE, fields);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } });
  });

  it.each<[string, Record<string, string | Buffer>, string]>([
    [
      'without an application',
      { 'devices.yaml': yamlOf('DeviceTree', []) },
      'importBundle has no file application.yaml',
    ],
    [
      'with two applications',
      { 'application.yaml': yamlOf('Application', [{ name: 'a' }, { name: 'b' }]) },
      'application.yaml must have exactly one resource',
    ],
    [
      'with a nameless application',
      { 'application.yaml': yamlOf('Application', [{}]) },
      'application.name is required',
    ],
    [
      'with a global twice',
      {
        'application.yaml': yamlOf('Application', [
          {
            name: 'a',
            globals: [
              { key: 'a', json: '1' },
              { key: 'a', json: '1' },
            ],
          },
        ]),
      },
      'application.globals.1.key',
    ],
    [
      'with YAML that is none',
      { ...BARE, 'devices.yaml': 'resourceType: [' },
      'devices.yaml is not valid YAML',
    ],
    ['with tags', { ...BARE, 'devices.yaml': 'resourceType: !x A\nresources: []' }, 'devices.yaml'],
    [
      'with a small file of deep nesting',
      { ...BARE, 'devices.yaml': `resourceType: Device\nresources: ${'['.repeat(250_000)}` },
      'devices.yaml is nested too deeply',
    ],
    [
      'with a small file whose texts expand without end',
      {
        ...BARE,
        'devices.yaml': `resourceType: Device\nresources:\n- a: &a ${'x'.repeat(200_000)}\n${'- a: *a\n'.repeat(900)}`,
      },
      'devices.yaml has texts of more than',
    ],
    [
      'with a readme that is no text',
      { ...BARE, 'README.md': Buffer.from([0xff]) },
      'README.md is not in UTF-8',
    ],
    [
      'with CSV that is none',
      {
        ...BARE,
        'T.yaml': yamlOf('DataTable', [
          {
            name: 'T',
            localFilename: 'T.csv',
            columns: [{ name: 'a', dataType: 'string', constraint: 'optional' }],
          },
        ]),
        'T.csv': 'a\n"x',
      },
      'T.csv is not valid CSV',
    ],
  ])('rejects a bundle %s', async (_, contents, message) => {
    const answer = await imports.new(contents);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } });
  });

  it('rejects files that are not bundles and malformed forms', async () => {
    const path = '/applications/import';
    expect(await imports.send(path, {}, Buffer.from('x'))).toMatchObject({
      status: 400,
      body: { message: 'importBundle is not a valid zip file' },
    });
    expect((await imports.send(path, {})).status).toBe(400);
    expect((await test.client.post(path, {}, { token: user.token })).status).toBe(415);
    const link = listedAs(await zipOf({ ...BARE, 'files/x': '/etc/passwd' }), 'files/x', (entry) => {
      entry.writeUInt16LE(0x314, LISTED_AT.madeBy);
      entry.writeUInt16LE(0o120777, LISTED_AT.mode);
    });
    expect(await imports.send(path, {}, link)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('is a link') },
    });
  });

  it('requires permission to create applications for the owner', async () => {
    const org = await makeOrg(test, user.token);
    const fields = { ownerId: org.id, ownerType: 'organization' };
    const { body } = await imports.new(BARE, fields);
    expect(body.application).toMatchObject({ ownerId: org.id, ownerType: 'organization' });
    const { token } = await makeMember(test, org.id, 'collaborate');
    expect((await imports.new(BARE, fields, token)).status).toBe(403);
    const stranger = await makeUser(test);
    expect((await imports.new(BARE, fields, stranger.token)).status).toBe(404);
    expect((await imports.new(BARE, { ownerId: user.id }, stranger.token)).status).toBe(403);
    expect((await imports.new(BARE, {}, tokenOf(test, user.id, ['applications.post']))).status).toBe(403);
    expect((await imports.new(BARE, {}, tokenOf(test, user.id, ['applications.import']))).status).toBe(201);
  });

  it('enforces the limits of the owner and leaves nothing behind if one is exceeded', async () => {
    const bundle = {
      ...BARE,
      'devices.yaml': yamlOf('DeviceTree', [{ name: 'A' }, { name: 'B' }]),
      'files/a.txt': 'abc',
    };
    const limited = (limits: object) =>
      test.dataSource.query('UPDATE users SET limits = $2 WHERE id = $1', [user.id, JSON.stringify(limits)]);
    await limited({ device: 1 });
    expect((await imports.new(bundle)).body.message).toBe('The limit of 1 devices is reached');
    await limited({ storage: 2 });
    expect((await imports.new(bundle)).body.message).toMatch(/^The limit of 2 bytes/);
    await limited({ device: 2, storage: 3, application: 1 });
    expect((await imports.new(bundle)).status).toBe(201);
    const { body: all } = await test.client.get('/applications', { token: user.token });
    expect(all.totalCount).toBe(1);
  });
});
