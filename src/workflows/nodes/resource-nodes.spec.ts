import { apiError, RecordedApi } from '../../../test/doubles/recorded-api.js';
import { runNode } from '../../../test/doubles/run-node.js';
import { NODE_KINDS } from './index.js';

const ID = '56c794a06895b00100cbe84c';
const OTHER = '56c794a06895b00100cbe84d';
const PAIR = [{ keyTemplate: 'k', valueTemplate: '{{v}}' }];
const payload = { time: '2024-01-15T00:00:00.000Z', id: ID, v: 'x', rows: [{ a: 1 }], ids: [ID, 'x', 5] };
const user = { id: OTHER, userTags: { k: 'old', kept: '1' }, experienceGroups: [{ id: OTHER }] };
const page = (...items: object[]) => ({ items, count: items.length, totalCount: 9 });

async function executed(type: string, config: object, api: RecordedApi) {
  return runNode(NODE_KINDS.get(type)!, { resultPath: 'r', ...config }, payload, { ports: { api } });
}

describe('A node of resources', () => {
  it('does not mix a list with the defaults of a recipe', async () => {
    const recipe = { deviceName: 'A', tags: [], attributes: [] };
    const api = new RecordedApi({ 'deviceRecipe.get': recipe, 'devices.post': {} });
    const config = { recipeIdTemplate: ID, dataMethod: 'payloadPath', devicePayloadPath: 'rows' };
    await executed('CreateDeviceNode', config, api);
    expect(api.calls.at(-1)).toEqual(['devices.post', expect.anything(), [{ a: 1 }]]);
  });

  it.each<[type: string, config: object, answers: object, call: unknown[]]>([
    [
      'GetDeviceNode',
      { idTemplate: '{{id}}', tagsAsObject: true, includeConnectionStatus: false },
      { 'device.get': { id: ID } },
      [
        'device.get',
        { tagsAsObject: true, attributesAsObject: false, excludeConnectionInfo: true, deviceId: ID },
      ],
    ],
    [
      'GetEventNode',
      { queryTemplate: '{"$or":[]}' },
      { 'events.get': page() },
      ['events.get', { query: {}, sortField: '', sortDirection: '', perPage: 1 }],
    ],
    [
      'GetExperienceUserNode',
      { emailOrIdTemplate: ' Ada@Example.com ' },
      { 'experienceUsers.get': page() },
      ['experienceUsers.get', { query: { email: { $eq: 'ada@example.com' } }, perPage: 1 }],
    ],
    [
      'DataTableInsertRowNode',
      { dataTableIdTemplate: ID, dataMethod: 'payloadPath', rowPayloadPath: 'rows' },
      { 'dataTableRows.post': {} },
      ['dataTableRows.post', { dataTableId: ID }, [{ a: 1 }]],
    ],
    [
      'CreateDeviceNode',
      {
        nameTemplate: 'A {{v}}',
        deviceTags: PAIR,
        keepDuplicatesTemplate: 'true',
        systemIntervalTemplate: '60',
      },
      { 'devices.post': {} },
      [
        'devices.post',
        { tagsAsObject: false, attributesAsObject: false },
        {
          name: 'A x',
          systemInterval: 60,
          keepDuplicates: true,
          tags: [{ key: 'k', value: 'x' }],
          attributes: [],
        },
      ],
    ],
    [
      'UpdateDeviceNode',
      { idTemplate: '{{id}}', nameTemplate: 'B' },
      { 'device.patch': {} },
      ['device.patch', { deviceId: ID, tagsAsObject: false, attributesAsObject: false }, { name: 'B' }],
    ],
    [
      'DeviceSendCommandNode',
      { deviceIdsPath: 'ids', nameTemplate: 'go', payloadTemplateType: 'path', payloadTemplate: 'rows.[0]' },
      { 'devices.sendCommand': {} },
      ['devices.sendCommand', {}, { name: 'go', payload: { a: 1 }, deviceIds: [ID] }],
    ],
    [
      'DeviceChangeStateNode',
      {
        deviceId: '{{id}}',
        attrInfos: [
          { key: 't', valueTemplate: '{{rows.[0].a}}' },
          { key: 'u', valueTemplate: '{{no}}' },
        ],
      },
      { 'device.sendState': {} },
      ['device.sendState', { deviceId: ID }, { time: new Date(payload.time), data: { t: 1 } }],
    ],
    [
      'CreateEventNode',
      { levelTemplate: 'info', subjectTemplate: 'S', eventTags: PAIR, timeSourceType: 'payloadTime' },
      { 'events.post': {} },
      [
        'events.post',
        {},
        { level: 'info', subject: 'S', eventTags: { k: 'x' }, creationDate: new Date(payload.time) },
      ],
    ],
    [
      'DeleteEventNode',
      { queryTemplate: '{"level":"info"}' },
      { 'events.delete': {} },
      ['events.delete', {}, { level: 'info' }],
    ],
  ])('%s calls the operation for %j', async (type, config, answers, call) => {
    const api = new RecordedApi(answers as Record<string, unknown>);
    await executed(type, config, api);
    expect(api.calls).toEqual([call]);
  });

  it.each<[type: string, config: object, r: unknown]>([
    ['GetDeviceNode', { idTemplate: ID }, null],
    ['GetDeviceNode', { idTemplate: 'x' }, null],
    ['GetExperienceGroupNode', { idTemplate: ID }, null],
    ['GetExperienceUserNode', { emailOrIdTemplate: ID }, null],
    ['GetEventNode', { eventIdTemplate: ID }, null],
    ['DeleteExperienceUserNode', { emailOrIdTemplate: ID }, false],
    [
      'UpdateDeviceNode',
      { idTemplate: ID },
      { error: { type: 'NotFound', message: 'Device was not found' } },
    ],
    [
      'UpdateDeviceNode',
      { idTemplate: 'x' },
      { error: { type: 'NotFound', message: 'Device was not found' } },
    ],
    [
      'DeviceDeleteWorkflowNode',
      { deviceIdTemplate: 'x' },
      { error: { type: 'NotFound', message: 'Device was not found' } },
    ],
    [
      'UpdateExperienceUserNode',
      { emailOrIdTemplate: ID },
      { error: { type: 'NotFound', message: 'Experience User was not found' } },
    ],
    [
      'LosantApiNode',
      { resource: 'device', action: 'get', responsePath: 'r' },
      { error: { type: 'NotFound', message: 'Device was not found', statusCode: 404 } },
    ],
  ])('%s writes %j if the resource does not exist', async (type, config, r) => {
    expect((await executed(type, config, new RecordedApi())).payload).toEqual({ ...payload, r });
  });

  it.each([
    ['GetDeviceNode', { idTemplate: '' }, 'idTemplate is required'],
    ['GetDeviceNode', { findMethod: 'query' }, 'queryTemplate is required'],
    ['GetDeviceNode', { findMethod: 'query', queryTemplate: '{{v}}' }, 'queryTemplate'],
    [
      'GetDeviceNode',
      { findMultiple: true, findMethod: 'findByAllTags', resultsPerPage: '1001' },
      'resultsPerPage',
    ],
    ['GetExperienceUserNode', { emailOrIdTemplate: '{{no}}' }, 'emailOrIdTemplate is required'],
    ['VerifyDeviceNode', { deviceIdTemplate: ID }, 'idTemplate is required'],
    ['VerifyExperienceGroupNode', { emailOrIdTemplate: ID }, 'groupIdTemplate is required'],
    ['DataTableQueryNode', {}, 'dataTableIdTemplate is required'],
    ['DataTableDeleteRowNode', { dataTableIdTemplate: ID }, 'queryTemplate is required'],
    ['CreateEventNode', { levelTemplate: 'info' }, 'subjectTemplate is required'],
    ['CreateExperienceGroupNode', {}, 'nameTemplate is required'],
    ['CreateExperienceUserNode', { emailTemplate: 'a@example.com' }, 'passwordTemplate is required'],
    ['DeviceChangeStateNode', { deviceId: '{{no}}' }, 'deviceId is required'],
  ])('%s fails the run with %j', async (type, config, message) => {
    const api = new RecordedApi();
    await expect(executed(type, config, api)).rejects.toMatchObject({
      name: 'ValidationError',
      message: expect.stringContaining(message),
    });
    expect(api.calls).toEqual([]);
  });

  it('merges tags, and removes those without a value', async () => {
    const api = new RecordedApi({ 'experienceUser.get': user, 'experienceUser.patch': user });
    const userTags = [...PAIR, { keyTemplate: 'gone' }];
    await executed(
      'UpdateExperienceUserNode',
      { emailOrIdTemplate: ID, userTags, groupIdTemplates: [] },
      api,
    );
    expect(api.calls.at(-1)).toEqual([
      'experienceUser.patch',
      { experienceUserId: OTHER },
      { experienceGroupIds: [], userTags: { k: 'x', kept: '1' } },
    ]);
  });

  it('finds members of ancestors of a group', async () => {
    const verify = async (ancestorIds: string[]) => {
      const api = new RecordedApi({ 'experienceUser.get': user, 'experienceGroup.get': { ancestorIds } });
      return executed('VerifyExperienceGroupNode', { emailOrIdTemplate: OTHER, groupIdTemplate: ID }, api);
    };
    expect(await verify([OTHER])).toMatchObject({ output: 1 });
    expect(await verify([])).toMatchObject({ output: 0 });
  });

  it.each<[object, object]>([
    [{}, { applicationId: 'application' }],
    [{ applicationIdTemplate: '{{id}}' }, { applicationId: ID }],
    [{ apiTokenTemplate: ' t ' }, { applicationId: 'application', token: 't' }],
    [
      { apiTokenTemplate: 't', applicationIdTemplate: OTHER },
      { applicationId: OTHER, token: 't' },
    ],
    [
      { apiTokenTemplate: 't', params: [{ name: 'applicationId', type: 'string', value: OTHER }] },
      { applicationId: OTHER, token: 't' },
    ],
    [{ params: [{ name: 'applicationId', type: 'string', value: OTHER }] }, { applicationId: 'application' }],
  ])('calls as the workflow, or with a token: %j', async (config, actor) => {
    const calls: object[] = [];
    const api = {
      call: async (of: object, _id: string, parameters: object) => {
        calls.push({ ...of, parameters });
        return { result: {} };
      },
    };
    const node = NODE_KINDS.get('LosantApiNode')!;
    await runNode(node, { resource: 'devices', action: 'get', ...config }, payload, { ports: { api } });
    const common = { id: 'run', flowId: 'flow', effectId: 'effect', parameters: {} };
    expect(calls).toEqual([{ ...common, ...actor }]);
  });

  it('writes nothing at the path of an event that is throttled', async () => {
    const api = new RecordedApi({ 'events.post': apiError(429, 'TooManyRequests', 'Too many requests') });
    const result = await executed('CreateEventNode', { levelTemplate: 'info', subjectTemplate: 'S' }, api);
    expect(result.payload).toEqual({ ...payload, r: undefined });
  });

  it('adds a row if none matches and the node asks for that', async () => {
    const api = new RecordedApi({ 'dataTableRows.query': page(), 'dataTableRows.post': { id: ID } });
    const config = { dataTableIdTemplate: ID, rowSelectType: 'query', upsertCheck: true };
    const rowFields = [{ columnTemplate: 'n', valueTemplate: '{{rows.[0].a}}' }];
    const result = await executed('DataTableUpdateRowNode', { ...config, rowFields }, api);
    expect(api.calls.at(-1)).toEqual(['dataTableRows.post', { dataTableId: ID }, { n: 1 }]);
    expect(result.payload).toMatchObject({ r: { id: ID } });
  });
});
