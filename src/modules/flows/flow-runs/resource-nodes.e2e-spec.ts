import { certificateIn } from '../../../../test/make/certificates.js';
import { makeFlow } from '../../../../test/make/flows.js';
import { requestedRuns } from '../../../../test/make/runs.js';
import { ResourceNodes, tagPairs } from '../../../../test/make/resource-nodes.js';
import { suite } from '../../../../test/setup/suite.js';

const { test, user, application } = suite();
const nodes = new ResourceNodes(test, user, application);
const UNKNOWN = '0123456789abcdef01234567';
const missing = (message: string) => ({ error: { type: 'NotFound', message } });

describe('Nodes of experience users and groups', () => {
  const PASSWORD = 'Battery-Staple-9';

  it('create, change, find, verify and delete them', async () => {
    const site = await nodes.resultOf('CreateExperienceGroupNode', {
      nameTemplate: 'Site',
      groupTagTemplates: tagPairs({ region: 'eu' }),
      deviceQueryJsonTemplate: '{"name":"Pump"}',
    });
    expect(site).toMatchObject({ name: 'Site', groupTags: { region: 'eu' } });
    const floor = await nodes.resultOf('CreateExperienceGroupNode', {
      nameTemplate: 'Floor',
      parentIdTemplate: site.id,
    });
    const created = await nodes.resultOf('CreateExperienceUserNode', {
      emailTemplate: 'Ada@example.com',
      passwordTemplate: PASSWORD,
      groupIdTemplates: [site.id],
      userTags: tagPairs({ role: 'admin', old: 'x' }),
    });
    expect(created).toMatchObject({ email: 'ada@example.com', userTags: { role: 'admin', old: 'x' } });
    const again = { emailTemplate: 'ada@example.com', passwordTemplate: PASSWORD };
    expect(await nodes.resultOf('CreateExperienceUserNode', again)).toMatchObject({
      error: { message: expect.any(String) },
    });
    const changed = await nodes.resultOf('UpdateExperienceUserNode', {
      emailOrIdTemplate: 'ADA@example.com',
      firstNameTemplate: 'Ada',
      userTags: [{ keyTemplate: 'old' }, ...tagPairs({ role: 'user' })],
      groupIdTemplates: '',
      invalidateExistingTokens: true,
    });
    expect(changed).toMatchObject({
      firstName: 'Ada',
      userTags: { role: 'user' },
      experienceGroups: [{ id: site.id }],
    });
    expect(changed.tokenCutoff).toBeDefined();
    expect(await nodes.resultOf('GetExperienceUserNode', { emailOrIdTemplate: created.id })).toMatchObject({
      id: created.id,
    });
    expect(await nodes.resultOf('GetExperienceUserNode', { emailOrIdTemplate: 'no@example.com' })).toBeNull();
    const tags = { findMethod: 'userTags', userTags: tagPairs({ role: 'user' }), findMultiple: true };
    expect(await nodes.resultOf('GetExperienceUserNode', tags)).toMatchObject([{ id: created.id }]);

    const verify = async (groupIdTemplate: string, emailOrIdTemplate = created.id) =>
      (await nodes.execute('VerifyExperienceGroupNode', { groupIdTemplate, emailOrIdTemplate })).output;
    expect([await verify(site.id), await verify(floor.id), await verify(UNKNOWN), await verify('x')]).toEqual(
      [1, 1, 0, 0],
    );
    expect(await verify(site.id, 'no@example.com')).toBe(0);

    const pump = await nodes.resultOf('CreateDeviceNode', { nameTemplate: 'Pump' });
    const fan = await nodes.resultOf('CreateDeviceNode', { nameTemplate: 'Fan' });
    const sees = async (deviceIdTemplate: string) =>
      (
        await nodes.execute(
          'VerifyDeviceNode',
          { deviceIdTemplate },
          { experience: { user: { id: created.id } } },
        )
      ).output;
    expect([await sees(pump.id), await sees(fan.id), await sees('x')]).toEqual([1, 0, 0]);
    const group = { deviceIdTemplate: pump.id, idTemplate: site.id, idTypeTemplate: 'experienceGroup' };
    expect((await nodes.execute('VerifyDeviceNode', group)).output).toBe(1);
    const ofUser = {
      findMethod: 'experienceUserIdOrEmail',
      idTemplate: 'ada@example.com',
      findMultiple: true,
    };
    expect(await nodes.resultOf('GetDeviceNode', ofUser)).toMatchObject([{ name: 'Pump' }]);

    const update = { groupIdTemplate: floor.id, membersToAdd: [created.id], groupTags: tagPairs({ n: '1' }) };
    expect(await nodes.resultOf('UpdateExperienceGroupNode', update)).toMatchObject({
      name: 'Floor',
      experienceUserIds: [created.id],
      groupTags: { n: '1' },
    });
    expect(await nodes.resultOf('GetExperienceGroupNode', { idTemplate: floor.id })).toMatchObject({
      ancestorIds: [site.id],
    });
    expect(await nodes.resultOf('GetExperienceGroupNode', { idTemplate: UNKNOWN })).toBeNull();
    const query = `{"parentId":{"$eq":"${site.id}"}}`;
    const children = {
      findMethod: 'query',
      queryTemplate: query,
      findMultiple: true,
      findMetadata: true,
      resultsPerPage: '0',
    };
    expect(await nodes.resultOf('GetExperienceGroupNode', children)).toMatchObject({
      items: [],
      totalCount: 1,
    });

    expect(await nodes.resultOf('DeleteExperienceUserNode', { emailOrIdTemplate: created.id })).toBe(true);
    expect(await nodes.resultOf('DeleteExperienceUserNode', { emailOrIdTemplate: created.id })).toBe(false);
  });
});

describe('ExperienceGroupSummaryNode', () => {
  const group = (nameTemplate: string, more: object = {}) =>
    nodes.resultOf('CreateExperienceGroupNode', { nameTemplate, ...more });
  const tree = (idTemplate = '') => nodes.resultOf('ExperienceGroupSummaryNode', { idTemplate });
  const shape = ({ name, children }: any): unknown => [name, ...children.map(shape)];

  it('returns the tree of all groups, of a group, and of the groups of a user', async () => {
    expect(await tree()).toEqual({ id: '(root)', name: '(root)', children: [] });
    const site = await group('Site', {
      groupTagTemplates: tagPairs({ region: 'eu' }),
      deviceQueryJsonTemplate: '{"name":"Pump"}',
    });
    const floor = await group('Floor', { parentIdTemplate: site.id });
    const room = await group('Room', { parentIdTemplate: floor.id });
    const other = await group('Another site');
    await nodes.resultOf('CreateDeviceNode', { nameTemplate: 'Pump' });
    expect(shape(await tree())).toEqual(['(root)', ['Another site'], ['Site', ['Floor', ['Room']]]]);
    expect((await tree()).children[1]).toEqual({
      id: site.id,
      name: 'Site',
      ancestorIds: [],
      groupTags: { region: 'eu' },
      deviceCount: 1,
      children: [expect.objectContaining({ id: floor.id, parentId: site.id, deviceCount: 0 })],
    });
    expect(shape(await tree(floor.id))).toEqual(['Floor', ['Room']]);
    const user = await nodes.resultOf('CreateExperienceUserNode', {
      emailTemplate: 'ada@example.com',
      passwordTemplate: 'Battery-Staple-9',
      groupIdTemplates: [room.id, floor.id, other.id],
    });
    expect(shape(await tree(user.id))).toEqual(['(root)', ['Another site'], ['Floor', ['Room']]]);
    expect(shape(await tree('ADA@example.com'))).toEqual(shape(await tree(user.id)));
    for (const unknown of [UNKNOWN, 'x']) expect(shape(await tree(unknown))).toEqual(['(root)']);
    await expect(nodes.execute('ExperienceGroupSummaryNode', {})).rejects.toThrow('resultPath is required');
  });
});

describe('Nodes of keys and certificates', () => {
  it('CreateAccessKeyNode creates a key and writes its secret', async () => {
    const config = {
      nameTemplate: 'Key {{n}}',
      descriptionTemplate: 'd',
      addressFilterTypeTemplate: 'whitelist',
      addressesTemplate: ['203.0.113.{{n}}'],
      filterTypeTemplate: 'whitelist',
      pubTopicsTemplate: ['a/{{n}}', ''],
      subTopicsTemplate: [],
      deviceIdsTemplate: [UNKNOWN],
      deviceTagsTemplate: tagPairs({ site: '{{n}}', any: '' }),
      statusTemplate: 'active',
    };
    const { secret, ...key } = await nodes.resultOf('CreateAccessKeyNode', config, { n: 7 });
    expect(secret).toEqual(expect.any(String));
    const path = `/applications/${application.id}/keys/${key.id}`;
    expect(key).toEqual((await test.client.get(path, { token: user.token })).body);
    expect(key).toMatchObject({
      name: 'Key 7',
      description: 'd',
      addressFilterType: 'whitelist',
      addresses: ['203.0.113.7'],
      filterType: 'whitelist',
      pubTopics: ['a/7'],
      subTopics: [],
      deviceIds: [UNKNOWN],
      deviceTags: [{ key: 'site', value: '7' }, { key: 'any' }],
    });
    expect(await nodes.resultOf('CreateAccessKeyNode', {})).toMatchObject({
      filterType: 'none',
      addressFilterType: 'all',
    });
    const asJson = { deviceIdsTemplate: '["{{id}}"]', deviceTagsTemplate: '[]', pubTopicsTemplate: '' };
    expect(await nodes.resultOf('CreateAccessKeyNode', asJson, { id: UNKNOWN })).toMatchObject({
      deviceIds: [UNKNOWN],
    });
    const documents = [
      { dataMethod: 'jsonTemplate', jsonTemplate: '{"name":"{{n}}"}' },
      { dataMethod: 'payloadPath', payloadPath: 'k' },
    ];
    for (const document of documents)
      expect(
        await nodes.resultOf('CreateAccessKeyNode', document, { n: 'N', k: { name: 'N' } }),
      ).toMatchObject({
        name: 'N',
        secret: expect.any(String),
      });
  });

  it('CreateAccessKeyNode writes errors', async () => {
    for (const [config, message] of [
      [{ addressFilterTypeTemplate: 'some' }, 'addressFilterType'],
      [{ statusTemplate: 'inactive' }, 'status'],
      [{ deviceIdsTemplate: ['x'] }, 'deviceIds'],
      [{ dataMethod: 'payloadPath', payloadPath: 'none' }, ''],
    ] as const)
      expect(await nodes.resultOf('CreateAccessKeyNode', config)).toEqual({
        error: { type: 'Validation', message: expect.stringContaining(message) },
      });
    await expect(nodes.resultOf('CreateAccessKeyNode', { deviceIdsTemplate: '[' })).rejects.toThrow(
      'deviceIdsTemplate is not JSON',
    );
  });

  it('RegisterDeviceCertificateNode registers a certificate', async () => {
    const pem = await certificateIn(test, user.token, application.id);
    const config = {
      certificateTemplate: '{{{pem}}}',
      descriptionTemplate: 'd',
      statusTemplate: 'inactive',
      deviceIdTemplate: UNKNOWN,
      filterTypeTemplate: 'whitelist',
      pubTopicsTemplate: ['a'],
      addressFilterTypeTemplate: 'all',
    };
    const register = (more: object = {}) =>
      nodes.resultOf(
        'RegisterDeviceCertificateNode',
        { ...config, ...more },
        { pem, c: { certificate: pem } },
      );
    const made = await register();
    expect(made).toMatchObject({
      description: 'd',
      status: 'inactive',
      deviceIds: [UNKNOWN],
      filterType: 'whitelist',
      pubTopics: ['a'],
    });
    const path = `/applications/${application.id}/certificates/${made.id}`;
    expect((await test.client.get(path, { token: user.token })).body).toEqual(made);
    expect(await register({ dataMethod: 'payloadPath', payloadPath: 'c' })).toMatchObject({
      error: { message: 'applicationCertificate.certificate is already registered' },
    });
    expect(await register({ addressFilterTypeTemplate: 'whitelist' })).toMatchObject({
      error: { type: 'Validation', message: expect.stringContaining('addressFilterType') },
    });
    expect(await register({ certificateTemplate: 'x'.repeat(50) })).toMatchObject({
      error: { type: 'Validation' },
    });
    await expect(register({ certificateTemplate: '{{none}}' })).rejects.toThrow(
      'certificateTemplate is required',
    );
  });
});

describe('Nodes of events', () => {
  it('create, find, change and delete events', async () => {
    const config = {
      levelTemplate: 'critical',
      subjectTemplate: 'T {{data.t}}',
      dataSourceType: 'payloadPath',
      dataSourcePath: '.',
      eventTags: tagPairs({ k: '{{data.t}}', old: 'x' }),
    };
    const event = await nodes.resultOf('CreateEventNode', config, { data: { t: 9 } });
    expect(event).toMatchObject({
      level: 'critical',
      state: 'new',
      subject: 'T 9',
      eventTags: { k: '9', old: 'x' },
    });
    expect(event).toMatchObject({ sourceType: 'flow', sourceId: nodes.flow.id, data: { data: { t: 9 } } });
    await expect(nodes.resultOf('CreateEventNode', { levelTemplate: 'info' })).rejects.toMatchObject({
      name: 'ValidationError',
    });
    const changed = await nodes.resultOf('UpdateEventNode', {
      targetEventIdTemplate: event.id,
      stateTemplate: 'acknowledged',
      commentTemplate: 'Seen',
      eventTags: [{ keyTemplate: 'old' }],
    });
    expect(changed).toMatchObject({ state: 'acknowledged', eventTags: { k: '9' } });
    const found = await nodes.resultOf('GetEventNode', { queryTemplate: '{"state":"acknowledged"}' });
    expect(found).toMatchObject({ id: event.id });
    expect(await nodes.resultOf('GetEventNode', { eventIdTemplate: event.id })).toMatchObject({
      updates: [{ comment: 'Seen' }],
    });
    expect(await nodes.resultOf('GetEventNode', { eventIdTemplate: UNKNOWN })).toBeNull();
    const many = { queryTemplate: '{"$or":[]}', updateMultiple: true, stateTemplate: 'resolved' };
    expect(await nodes.resultOf('UpdateEventNode', many)).toEqual({ success: true });
    expect(
      await nodes.resultOf('UpdateEventNode', { targetEventIdTemplate: UNKNOWN, stateTemplate: 'new' }),
    ).toEqual(missing('Event was not found'));
    expect(await nodes.resultOf('DeleteEventNode', { eventIdTemplate: event.id })).toEqual({ success: true });
  });
});

describe('Other nodes', () => {
  it('call operations of the API', async () => {
    const call = (resource: string, action: string, params: object[] = [], payload = {}) =>
      nodes
        .execute('LosantApiNode', { resource, action, params, responsePath: 'r' }, payload)
        .then(({ payload }) => (payload as { r: unknown }).r);
    const id = { name: 'deviceId', type: 'string', value: '{{data.id}}' };
    expect(await call('device', 'get', [id], { data: { id: UNKNOWN } })).toEqual({
      error: { type: 'NotFound', statusCode: 404, message: 'Device was not found' },
    });
    const page = [
      { name: 'perPage', type: 'string', value: '1' },
      { name: 'filter', type: 'string', value: '' },
    ];
    expect(await call('deviceRecipes', 'get', page)).toMatchObject({
      result: { items: [], perPage: 1, page: 0 },
    });
    const device = { name: 'device', type: 'json', value: '{"name":"{{n}}"}' };
    expect(await call('devices', 'post', [device], { n: 'Pump' })).toMatchObject({
      result: { name: 'Pump' },
    });
    const byPath = { name: 'device', type: 'path', value: 'd' };
    expect(await call('devices', 'post', [byPath], { d: { name: 'Fan' } })).toMatchObject({
      result: { name: 'Fan' },
    });
    expect(await call('application', 'delete')).toMatchObject({
      error: { type: 'Forbidden', statusCode: 403 },
    });
  });

  it('press virtual buttons by key and by the ID of the editor', async () => {
    const triggers = [{ type: 'virtualButton', meta: { uiId: 'ui-1' }, outputIds: [['n']] }];
    const debug = [{ id: 'n', type: 'DebugNode', config: {}, outputIds: [] }];
    const target = await makeFlow(test, user.token, application.id, { triggers, nodes: debug });
    const press = (triggerVirtualButtonId: string) =>
      nodes.execute('WorkflowTriggerNode', {
        triggerWorkflowId: target.id,
        triggerVirtualButtonId,
        flowVersionTemplate: 'default',
        payloadTemplate: '{"a":1}',
      });
    await press(target.triggers[0].key);
    await press('ui-1');
    await expect(press('none')).rejects.toMatchObject({ name: 'ValidationError' });
    expect(await requestedRuns(test, { flowId: target.id })).toHaveLength(2);
  });
});
