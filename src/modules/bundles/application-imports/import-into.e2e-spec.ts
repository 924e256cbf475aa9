import { credentialOf } from '../../../../test/make/credentials.js';
import { BARE, importsOf, placeholder as id, yamlOf } from '../../../../test/make/bundle-imports.js';
import { makeApplication, makeMember, makeOrg, makeUser } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';

const { test, user, application } = suite();
const imports = importsOf(test, user);
const make = async (path: string, body: object): Promise<any> =>
  (await test.client.post(`/applications/${application.id}/${path}`, body, { token: user.token })).body;

const number = (name: string) => ({ name, dataType: 'number' });
const BUNDLE = {
  'application.yaml': yamlOf('Application', [
    {
      name: 'Others',
      globals: [
        { key: 'a', json: '2' },
        { key: 'b', json: '2' },
      ],
    },
  ]),
  'devices.yaml': yamlOf('DeviceTree', [
    { id: id('device', 'pump'), name: 'Pump', description: 'theirs', attributes: [number('x'), number('y')] },
    { id: id('device', 'valve'), name: 'Valve', tags: [{ key: 'of', value: id('device', 'pump') }] },
  ]),
  'webhooks.yaml': yamlOf('Webhook', [
    { id: id('webhook', 'orders'), name: 'Orders', responseCode: 202, token: id('webhookToken', 'orders') },
  ]),
  'flows.yaml': yamlOf('Flow', [
    {
      id: id('flow', 'alarm'),
      name: 'Alarm',
      enabled: true,
      triggers: [{ type: 'webhook', key: id('webhook', 'orders'), outputIds: [[]] }],
      nodes: [{ id: 'n', type: 'HTTPNode', config: { uri: id('webhookToken', 'orders') } }],
    },
  ]),
  'versions.yaml': yamlOf('FlowVersion', [
    { flowId: id('flow', 'alarm'), version: 'v1', triggers: [], nodes: [] },
    { flowId: id('flow', 'alarm'), version: 'v2', triggers: [], nodes: [] },
  ]),
  'files/a.txt': 'theirs',
  'files/b.txt': 'theirs',
};

/** Creates resources that conflict with those of the bundle. */
async function own() {
  const globals = [{ key: 'a', json: '1' }];
  await test.client.patch(`/applications/${application.id}`, { globals }, { token: user.token });
  const pump = await make('devices', {
    name: 'Pump',
    description: 'ours',
    attributes: [number('y'), number('z')],
  });
  const webhook = await make('webhooks', { name: 'Orders' });
  const flow = await make('flows', { name: 'Alarm', triggers: [], nodes: [] });
  await make(`flows/${flow.id}/versions`, { version: 'v1' });
  await make('files', { name: 'a.txt', type: 'directory' });
  return { pump, webhook, flow };
}
const sorted = (values: any[], name: string) => values.map((value) => value[name]).sort();

describe('import into an application', () => {
  it('adds the resources of the bundle to the existing ones', async () => {
    const { pump } = await own();
    const { status, body } = await imports.into(application.id, BUNDLE);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { id: application.id, name: application.name },
    });
    expect(body.globals).toEqual([
      { key: 'a', json: '1' },
      { key: 'b', json: '2' },
    ]);
    const devices = await imports.list(application.id, 'devices');
    expect(sorted(devices, 'name')).toEqual(['Pump', 'Pump', 'Valve']);
    const other = devices.find((device) => device.name === 'Pump' && device.id !== pump.id);
    expect(devices.find(({ name }) => name === 'Valve').tags).toEqual([{ key: 'of', value: other.id }]);
    expect(await imports.list(application.id, 'flows')).toHaveLength(2);
    const [entry, ...others] = await imports.log(application.id);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      id: entry.importExecutionId,
      applicationId: application.id,
      status: 'completed',
      importSourceType: 'importBundle',
      conflictBehavior: 'create',
      dryRun: false,
      sourceId: user.id,
      sourceType: 'user',
      validationErrors: [
        { type: 'File', name: 'a.txt', message: 'A file or directory with this name already exists' },
      ],
    });
  });

  it('keeps existing resources and redirects references to them with retain', async () => {
    const { pump, webhook, flow } = await own();
    const { status } = await imports.into(application.id, BUNDLE, { conflictBehavior: 'retain' });
    expect(status).toBe(200);
    const devices = await imports.list(application.id, 'devices');
    expect(devices.find(({ name }) => name === 'Valve').tags).toEqual([{ key: 'of', value: pump.id }]);
    expect(devices.find(({ name }) => name === 'Pump')).toEqual(pump);
    expect(await imports.list(application.id, 'webhooks')).toEqual([webhook]);
    expect(sorted(await imports.list(application.id, `flows/${flow.id}/versions`), 'version')).toEqual([
      'v1',
      'v2',
    ]);
    expect(sorted(await imports.list(application.id, 'files'), 'name')).toEqual(['a.txt', 'b.txt']);
    expect((await imports.log(application.id))[0].validationErrors).toEqual([]);
  });

  it('replaces resources but keeps their IDs, tokens and attribute history with replace', async () => {
    const { pump, webhook, flow } = await own();
    const state = `/applications/${application.id}/devices/${pump.id}/state`;
    await test.client.post(state, { data: { y: 7, z: 8 } }, { token: user.token });
    const { status, body } = await imports.into(application.id, BUNDLE, { conflictBehavior: 'replace' });
    expect({ status, globals: body.globals }).toEqual({
      status: 200,
      globals: [
        { key: 'a', json: '2' },
        { key: 'b', json: '2' },
      ],
    });
    const devices = await imports.list(application.id, 'devices');
    expect(devices.find(({ id: own }) => own === pump.id)).toMatchObject({
      description: 'theirs',
      attributes: [{ name: 'x' }, { name: 'y' }],
      creationDate: pump.creationDate,
    });
    const values = await test.client.get(
      `/applications/${application.id}/devices/${pump.id}/compositeState`,
      { token: user.token },
    );
    expect(values.body).toMatchObject({ y: { value: 7 } });
    expect(values.body.x).toBeUndefined();
    expect(await imports.list(application.id, 'webhooks')).toMatchObject([
      { id: webhook.id, token: webhook.token, responseCode: 202 },
    ]);
    expect(await imports.list(application.id, 'flows')).toMatchObject([
      {
        id: flow.id,
        enabled: false,
        triggers: [{ key: webhook.id }],
        nodes: [{ config: { uri: webhook.token } }],
      },
    ]);
  });

  it('keeps passwords and credentials, which bundles never contain', async () => {
    const ada = { email: 'ada@example.com', password: 'Battery-Staple-9' };
    const before = await make('experience/users', ada);
    const { awsConfig } = credentialOf('aws') as any;
    const credential = await make('credentials', credentialOf('aws'));
    const secrets = () =>
      test.dataSource.query(
        'SELECT u.password_hash, c.secrets_sealed FROM experience_users u, credentials c WHERE u.id = $1 AND c.id = $2',
        [before.id, credential.id],
      );
    const own = await secrets();
    const { status } = await imports.into(
      application.id,
      {
        ...BARE,
        'users.yaml': yamlOf('ExperienceUser', [{ email: ada.email, firstName: 'Ada' }]),
        'credentials.yaml': yamlOf('Credential', [
          { name: credential.name, type: 'aws', awsConfig: { ...awsConfig, region: 'theirs' } },
        ]),
      },
      { conflictBehavior: 'replace' },
    );
    expect(status).toBe(200);
    const { passwordLastUpdated } = before;
    expect(await imports.list(application.id, 'experience/users')).toMatchObject([
      { id: before.id, firstName: 'Ada', passwordLastUpdated },
    ]);
    expect(await imports.list(application.id, 'credentials')).toEqual([credential]);
    expect(await secrets()).toEqual(own);
  });

  it('rejects the import if any resource exists with error', async () => {
    await own();
    const { status, body } = await imports.into(application.id, BUNDLE, { conflictBehavior: 'error' });
    expect({ status, message: body.message }).toEqual({
      status: 400,
      message: 'Webhook "Orders" already exists',
    });
    expect(await imports.list(application.id, 'devices')).toHaveLength(1);
    expect(await imports.log(application.id)).toMatchObject([
      { status: 'errored', error: { name: 'Validation', message: 'Webhook "Orders" already exists' } },
    ]);
  });

  it('reports problems without writing anything in a dry run', async () => {
    const limits = { device: 1, credential: 0 };
    await test.dataSource.query('UPDATE users SET limits = $2 WHERE id = $1', [user.id, limits]);
    const contents = { ...BUNDLE, 'credentials.yaml': yamlOf('Credential', [credentialOf('aws')]) };
    const { status, body } = await imports.into(application.id, contents, { dryRun: true });
    expect({ status, body }).toMatchObject({ status: 200, body: { id: application.id } });
    expect(await imports.list(application.id, 'devices')).toEqual([]);
    expect(await imports.log(application.id)).toMatchObject([
      {
        dryRun: true,
        dryRunResults: { limitErrors: ['Device'] },
        status: 'completed',
        validationErrors: [{ type: 'Credential', message: 'The limit of 0 service credentials is reached' }],
      },
    ]);
    expect((await imports.into(application.id, BUNDLE)).status).toBe(400);
  });

  it('imports from another application of the caller', async () => {
    await own();
    const target = await makeApplication(test, user.token);
    const path = `/applications/${target.id}/import`;
    const options = { fromApplicationId: application.id, include: ['Device'] };
    expect((await imports.send(path, { options })).status).toBe(200);
    expect(sorted(await imports.list(target.id, 'devices'), 'name')).toEqual(['Pump']);
    expect(await imports.list(target.id, 'flows')).toEqual([]);
    expect(await imports.log(target.id)).toMatchObject([
      { importSourceType: 'fromApplication', fromApplicationId: application.id, include: ['Device'] },
    ]);
    const stranger = await makeUser(test);
    const theirs = await makeApplication(test, stranger.token);
    const from = { fromApplicationId: theirs.id };
    expect((await imports.send(path, { options: from })).status).toBe(404);
    const repo = { repo: { branch: 'main' } };
    expect((await imports.into(application.id, BARE, repo)).body.message).toBe(
      'options.credentialName is required',
    );
  });

  it('requires the role edit, and the role view for the log', async () => {
    const org = await makeOrg(test, user.token);
    const { id: own } = await makeApplication(test, user.token, { orgId: org.id });
    const log = `/applications/${own}/importLogs`;
    const statuses = await Promise.all(
      (['none', 'view', 'collaborate', 'edit'] as const).map(async (role) => {
        const { token } = await makeMember(test, org.id, role);
        return (await test.client.get(log, { token })).status;
      }),
    );
    expect(statuses).toEqual([404, 200, 200, 200]);
    const { token: few } = await makeMember(test, org.id, 'collaborate');
    expect((await imports.into(own, BARE, {}, few)).status).toBe(403);
    const { token } = await makeMember(test, org.id, 'edit');
    expect((await imports.into(own, BARE, {}, token)).status).toBe(200);
    const { body } = await test.client.get(`${log}?since=${Date.now() + 60_000}`, { token });
    expect(body).toEqual([]);
    expect((await test.client.get(`${log}?limit=0`, { token })).status).toBe(400);
  });
});
