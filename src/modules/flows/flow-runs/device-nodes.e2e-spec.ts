import { ResourceNodes, tagPairs } from '../../../../test/make/resource-nodes.js';
import { suite } from '../../../../test/setup/suite.js';

const { test, user, application } = suite();
const nodes = new ResourceNodes(test, user, application);
const UNKNOWN = '0123456789abcdef01234567';
const missing = (message: string) => ({ error: { type: 'NotFound', message } });

describe('Nodes of devices', () => {
  const create = (name: string, config: object = {}) =>
    nodes.resultOf('CreateDeviceNode', { nameTemplate: name, ...config });

  it('create, change, find and delete a device', async () => {
    const attributes = [{ nameTemplate: 't', dataTypeTemplate: 'number' }];
    const device = await create('Pump {{n}}', {
      nameTemplate: 'Pump',
      deviceTags: tagPairs({ type: 'pump', site: 'a' }),
      deviceAttributes: attributes,
    });
    expect(device).toMatchObject({
      name: 'Pump',
      deviceClass: 'standalone',
      connectionInfo: { connected: null },
    });
    const changed = await nodes.resultOf('UpdateDeviceNode', {
      idTemplate: device.id,
      descriptionTemplate: 'Main',
      deviceTags: tagPairs({ site: '', floor: '2' }),
      deviceAttributes: [{ nameTemplate: 'on', dataTypeTemplate: 'boolean' }],
      tagsAsObject: true,
    });
    expect(changed).toMatchObject({
      name: 'Pump',
      description: 'Main',
      tags: { type: ['pump'], floor: ['2'] },
    });
    expect(changed.attributes.map(({ name }: { name: string }) => name).sort()).toEqual(['on', 't']);
    const whole = { devicePayloadPath: 'd', dataMethod: 'payloadPath', idTemplate: device.id };
    expect(await nodes.resultOf('UpdateDeviceNode', whole, { d: { tags: [] } })).toMatchObject({
      tags: [],
      name: 'Pump',
    });
    const remove = { dataMethod: 'id', deviceIdTemplate: device.id };
    expect(await nodes.resultOf('DeviceDeleteWorkflowNode', remove)).toBe(true);
    expect(await nodes.resultOf('DeviceDeleteWorkflowNode', remove)).toEqual(missing('Device was not found'));
    expect(await nodes.resultOf('UpdateDeviceNode', { idTemplate: device.id, nameTemplate: 'x' })).toEqual(
      missing('Device was not found'),
    );
    expect(await nodes.resultOf('GetDeviceNode', { idTemplate: device.id })).toBeNull();
  });

  it('create a device from a recipe', async () => {
    const recipe = {
      name: 'R',
      deviceName: 'From recipe',
      tags: [
        { key: 'a', value: '1' },
        { key: 'b', value: '2' },
      ],
    };
    const result = await nodes.called('deviceRecipes.post', {}, recipe);
    const device = await create('', { recipeIdTemplate: result.id, deviceTags: tagPairs({ a: '9' }) });
    expect(device.name).toBe('From recipe');
    expect(device.tags).toEqual(
      expect.arrayContaining([
        { key: 'a', value: '9' },
        { key: 'b', value: '2' },
      ]),
    );
    expect(device.tags).toHaveLength(2);
    expect(await create('x', { recipeIdTemplate: UNKNOWN })).toMatchObject({ error: { type: 'NotFound' } });
  });

  it('find devices by each method', async () => {
    const parent = await create('Parent', { deviceClassTemplate: 'system' });
    const a = await create('A', { deviceTags: tagPairs({ type: 'x', n: '1' }), parentIdTemplate: parent.id });
    const b = await create('B', { deviceTags: tagPairs({ type: 'x', n: '2' }) });
    const names = async (config: object) => {
      const found = await nodes.resultOf('GetDeviceNode', { findMultiple: true, ...config });
      return found.map(({ name }: { name: string }) => name);
    };
    expect(await nodes.resultOf('GetDeviceNode', { idTemplate: a.id })).toMatchObject({ name: 'A' });
    expect(await nodes.resultOf('GetDeviceNode', { findMethod: 'name', idTemplate: 'B' })).toMatchObject({
      id: b.id,
    });
    expect(await names({ findMethod: 'query', queryTemplate: '{"name":"B"}' })).toEqual(['B']);
    expect(await names({ findMethod: 'query', queryTemplate: '{"$or":[]}' })).toEqual(['A', 'B', 'Parent']);
    expect(await names({ findMethod: 'findByAllTags', tags: tagPairs({ type: 'x', n: '2' }) })).toEqual([
      'B',
    ]);
    expect(await names({ findMethod: 'findByAllTags', tags: tagPairs({ type: '' }) })).toEqual(['A', 'B']);
    expect(await names({ findMethod: 'findByAnyTags', tags: tagPairs({ n: '2', no: 'x' }) })).toEqual(['B']);
    expect(await names({ findMethod: 'findByParentId', parentIdTemplate: parent.id })).toEqual(['A']);
    const metadata = {
      findMethod: 'query',
      queryTemplate: '{"$or":[]}',
      findMultiple: true,
      findMetadata: true,
    };
    expect(await nodes.resultOf('GetDeviceNode', { ...metadata, resultsPerPage: '0' })).toEqual({
      ...{ items: [], count: 0, totalCount: 3, page: 0, perPage: 0 },
      ...{ sortField: 'name', sortDirection: 'asc' },
    });
    const page = { ...metadata, resultsPerPage: '2', resultsPage: '1', sortDirection: 'desc' };
    expect(await nodes.resultOf('GetDeviceNode', page)).toMatchObject({
      items: [{ name: 'A' }],
      count: 1,
      page: 1,
      perPage: 2,
    });
    await expect(
      nodes.resultOf('GetDeviceNode', { findMethod: 'query', queryTemplate: '{"no":1}' }),
    ).rejects.toMatchObject({
      name: 'ValidationError',
    });
    await expect(nodes.resultOf('GetDeviceNode', { idTemplate: '{{none}}' })).rejects.toMatchObject({
      name: 'ValidationError',
    });
  });

  it('report state and read it', async () => {
    const attributes = ['t', 'u'].map((nameTemplate) => ({ nameTemplate, dataTypeTemplate: 'number' }));
    const { id } = await create('Pump', { deviceAttributes: attributes });
    const time = new Date(Date.now() - 60_000).toISOString();
    const report = {
      deviceId: 'd.id',
      deviceIdTemplateType: 'jsonPath',
      attrInfos: [
        { key: 't', valueTemplate: '{{data.t}}' },
        { key: 'u', valueTemplate: '' },
        { key: 'none', valueTemplate: '1' },
      ],
    };
    expect(
      await nodes.resultOf('DeviceChangeStateNode', report, { time, d: { id }, data: { t: '7' } }),
    ).toEqual({
      success: true,
    });
    const found = await nodes.resultOf('GetDeviceNode', {
      idTemplate: id,
      includeState: true,
      attributes: ['t'],
    });
    expect(found.compositeState).toEqual({ t: { value: 7, time } });
    const states = [{ time: Date.now() - 50_000, data: { u: 1 } }, { u: 2 }];
    const byPath = {
      deviceId: id,
      attrDataMethod: 'payloadPath',
      attrPayloadPath: 's',
      timeSourceType: 'now',
    };
    expect(await nodes.resultOf('DeviceChangeStateNode', byPath, { s: states })).toEqual({ success: true });
    const all = await nodes.resultOf('GetDeviceNode', { idTemplate: id, includeState: true });
    expect(all.compositeState).toMatchObject({ t: { value: 7 }, u: { value: 2 } });
    expect(await nodes.resultOf('DeviceChangeStateNode', { deviceId: UNKNOWN, attrInfos: [] })).toMatchObject(
      {
        error: { type: 'NotFound' },
      },
    );
  });

  it('send commands', async () => {
    const { id } = await create('Pump', { deviceTags: tagPairs({ a: 'b' }) });
    const received = async () => nodes.called('device.getCommand', { deviceId: id });
    const payloadTemplate = '{"n":{{n}}}';
    await nodes.execute(
      'DeviceSendCommandNode',
      { deviceIdsPath: 'ids', nameTemplate: 'go', payloadTemplate },
      { n: 1, ids: [id] },
    );
    expect(await received()).toMatchObject([{ name: 'go', payload: { n: 1 } }]);
    await nodes.execute('DeviceSendCommandNode', {
      sendToDeviceTags: [{ key: 'a', value: 'b' }],
      nameTemplate: 'stop',
    });
    expect(await received()).toMatchObject([{ name: 'stop' }]);
    await nodes.execute('DeviceSendCommandNode', { deviceIdsPath: 'none', nameTemplate: 'go' });
    expect(await received()).toMatchObject([{ name: 'stop' }]);
  });
});

describe('Nodes of data tables', () => {
  it('add, find, change and delete rows', async () => {
    const columns = [
      { name: 'n', dataType: 'string', constraint: 'optional' },
      { name: 'v', dataType: 'number', constraint: 'optional' },
    ];
    const table = { name: 'T', columns };
    const result = await nodes.called('dataTables.post', {}, table);
    const at = { dataTableIdTemplate: result.id };
    const fields = [
      { columnTemplate: 'n', valueTemplate: '{{data.n}}' },
      { columnTemplate: 'v', valueTemplate: null },
    ];
    const row = await nodes.resultOf(
      'DataTableInsertRowNode',
      { ...at, rowFields: fields },
      { data: { n: 'a' } },
    );
    expect(row).toMatchObject({ id: expect.any(String), n: 'a' });
    const many = { ...at, dataMethod: 'payloadPath', rowPayloadPath: 'rows' };
    const rows = [
      { n: 'b', v: 1 },
      { n: 'c', v: 2 },
    ];
    expect(await nodes.resultOf('DataTableInsertRowNode', many, { rows })).toMatchObject({
      count: 2,
      rowIds: expect.any(Array),
    });
    const query = '{"$or":[{"n":{"$eq":"{{data.n}}"}}]}';
    const found = await nodes.resultOf(
      'DataTableQueryNode',
      { ...at, queryTemplate: query },
      { data: { n: 'b' } },
    );
    expect(found).toMatchObject({
      items: [{ n: 'b', v: 1 }],
      count: 1,
      totalCount: 1,
      limit: 1000,
      offset: 0,
    });
    const names = {
      includeFieldsTemplate: '["n"]',
      sortColumnTemplate: 'n',
      sortDirectionTemplate: 'desc',
      limitTemplate: '1',
    };
    expect(await nodes.resultOf('DataTableQueryNode', { ...at, ...names })).toMatchObject({
      items: [{ n: 'c' }],
      totalCount: 3,
    });
    expect(await nodes.resultOf('DataTableQueryNode', { ...at, queryTemplate: '{"no":1}' })).toMatchObject({
      error: { type: 'Validation' },
    });
    const change = { ...at, rowSelectType: 'query', dataMethod: 'jsonTemplate', rowJsonTemplate: '{"v":9}' };
    expect(
      await nodes.resultOf('DataTableUpdateRowNode', { ...change, queryTemplate: '{"n":"b"}' }),
    ).toMatchObject({
      n: 'b',
      v: 9,
    });
    expect(await nodes.resultOf('DataTableUpdateRowNode', { ...change, queryTemplate: '{"n":"z"}' })).toEqual(
      missing('Data Table Row was not found'),
    );
    const upsert = { ...change, queryTemplate: '{"n":"z"}', rowJsonTemplate: '{"n":"z"}', upsertCheck: true };
    expect(await nodes.resultOf('DataTableUpdateRowNode', upsert)).toMatchObject({ n: 'z' });
    expect(await nodes.resultOf('DataTableDeleteRowNode', { ...at, rowIdTemplate: row.id })).toEqual({
      result: true,
      count: 1,
    });
    expect(await nodes.resultOf('DataTableDeleteRowNode', { ...at, queryTemplate: '{"$or":[]}' })).toEqual({
      result: true,
      count: 3,
    });
    await expect(nodes.resultOf('DataTableDeleteRowNode', at)).rejects.toMatchObject({
      name: 'ValidationError',
    });
  });
});
