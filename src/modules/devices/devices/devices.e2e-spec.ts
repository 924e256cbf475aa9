import { suite } from '../../../../test/setup/suite.js';

const { test, user, application } = suite();
let path: string;

beforeEach(() => {
  path = `/applications/${application.id}/devices`;
});

const made = async (body: object) => {
  const answer = await test.client.post(path, body, { token: user.token });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body;
};
const list = (query = '') => test.client.get(`${path}?${query}`, { token: user.token });
const names = async (query: string) => {
  const { status, body } = await list(query);
  expect({ status, message: body.message }).toEqual({ status: 200, message: undefined });
  expect(body.totalCount).toBe(body.items.length);
  return body.items.map(({ name }: { name: string }) => name);
};
const json = (name: string, value: unknown) => `${name}=${encodeURIComponent(JSON.stringify(value))}`;
const connect = (id: string, connected: number) =>
  test.dataSource.query(
    `INSERT INTO device_states (device_id, application_id, connected, connection_time, connected_at)
     VALUES ($1, $2, $3, '2026-01-02T03:04:05.006Z', '2026-01-02T03:04:05.006Z')`,
    [id, application.id, connected],
  );

describe('Devices of an application', () => {
  it('are listed in pages, sorted and filtered', async () => {
    for (const name of ['pump b', 'valve', 'pump a']) await made({ name });
    const { body } = await list('filter=PUMP*&perPage=1&sortDirection=desc');
    expect(body).toMatchObject({ items: [{ name: 'pump b' }], count: 1, totalCount: 2, filter: 'PUMP*' });
    expect(body.applicationId).toBe(application.id);
    expect(await names('')).toEqual(['pump a', 'pump b', 'valve']);
    expect(await names('sortField=creationDate')).toEqual(['pump b', 'valve', 'pump a']);
    expect(await names('sortField=deletedAt&sortDirection=desc')).toEqual(['pump a', 'valve', 'pump b']);
  });

  it('are filtered by one or several classes', async () => {
    for (const deviceClass of ['gateway', 'edgeCompute', 'standalone'])
      await made({ name: deviceClass, deviceClass });
    expect(await names('deviceClass=gateway')).toEqual(['gateway']);
    expect((await list('deviceClass=gateway')).body.deviceClass).toBe('gateway');
    expect(await names('deviceClass[0]=gateway&deviceClass[1]=edgeCompute')).toEqual([
      'edgeCompute',
      'gateway',
    ]);
    expect(await names(json('deviceClass', ['standalone', 'standalone']))).toEqual(['standalone']);
    expect((await list('deviceClass=[]')).body.totalCount).toBe(0);
    expect((await list('deviceClass=other')).status).toBe(400);
  });

  it('are filtered by tags, either part of which can be omitted', async () => {
    await made({
      name: 'a',
      tags: [
        { key: 'site', value: 'north' },
        { key: 'site', value: 'east' },
      ],
    });
    await made({ name: 'b', tags: [{ key: 'zone', value: 'north' }] });
    await made({ name: 'c', tags: [{ key: 'site', value: 'south' }] });
    await made({ name: 'd' });
    expect(await names('tagFilter[0][key]=site')).toEqual(['a', 'c']);
    expect(await names('tagFilter[0][value]=north')).toEqual(['a', 'b']);
    expect(await names(json('tagFilter', [{ key: 'site', value: 'east' }]))).toEqual(['a']);
    expect(await names(json('tagFilter', [{ key: 'zone' }, { value: 'south' }]))).toEqual(['b', 'c']);
    expect(await names(json('tagFilter', [{}]))).toEqual(['a', 'b', 'c']);
    expect(await names(`${json('tagFilter', [{ key: 'site' }])}&filter=c&deviceClass=standalone`)).toEqual([
      'c',
    ]);
    expect((await list(json('tagFilter', [{ key: 'a b' }]))).status).toBe(400);
    expect((await list(json('tagFilter', [{ name: 'a' }]))).status).toBe(400);
  });

  it('are filtered by their parent', async () => {
    const plant = await made({ name: 'plant', deviceClass: 'system' });
    const hall = await made({ name: 'hall', deviceClass: 'system', parentId: plant.id });
    await made({ name: 'pump', parentId: hall.id });
    expect(await names(`parentId=${hall.id.toUpperCase()}`)).toEqual(['pump']);
    expect(await names('parentId=null')).toEqual(['plant']);
    expect((await list('parentId=null')).body.parentId).toBeNull();
    expect(await names(json('query', { ancestorId: plant.id }))).toEqual(['hall', 'pump']);
    expect(await names(json('query', { ancestorId: { $in: [hall.id] } }))).toEqual(['pump']);
    expect(await names(json('query', { ancestorId: { $ne: hall.id } }))).toEqual(['hall', 'plant']);
    expect(await names(json('query', { ancestorId: null }))).toEqual(['plant']);
    expect(await names(json('query', { ancestorId: { $gte: hall.id } }))).toEqual(['pump']);
    await test.client.delete(`${path}/${plant.id}`, { token: user.token });
    expect(await names(json('query', { ancestorId: plant.id }))).toEqual([]);
    const { body } = await list(json('query', { name: 'pump' }));
    expect(body.items[0].ancestorIds).toEqual([hall.id]);
    expect((await list('parentId=x')).status).toBe(400);
  });

  it('are filtered by an advanced query, which replaces other conditions', async () => {
    const a = await made({ name: 'a', attributes: [{ name: 'Flow', dataType: 'number' }] });
    await made({ name: 'b', tags: [{ key: 'site', value: 'north' }] });
    await connect(a.id, 1);
    const found = (query: object) => names(json('query', query));
    expect(await found({ attributeName: 'Flow' })).toEqual(['a']);
    expect(await found({ attributeName: { $startsWith: 'fl', $ci: true } })).toEqual(['a']);
    expect(await found({ attributeName: null })).toEqual(['b']);
    expect(await found({ tags: { site: 'north' } })).toEqual(['b']);
    expect(await found({ tags: { $ne: { $tagKey: 'site' } } })).toEqual(['a']);
    expect(await found({ tags: null })).toEqual(['a']);
    expect(await found({ connectionStatus: 1 })).toEqual(['a']);
    expect(await found({ connectionStatus: null })).toEqual(['b']);
    expect(await found({ connectedAt: { $lt: Date.now() }, disconnectedAt: null })).toEqual(['a']);
    expect(await found({ $or: [{ id: a.id }, { name: { $contains: 'b' } }] })).toEqual(['a', 'b']);
    expect(
      await names(`${json('query', { name: 'b' })}&deviceClass=gateway&filter=a&parentId=${a.id}`),
    ).toEqual(['b']);
    expect((await list(json('query', { name: 'b' }))).body.query).toEqual({ name: 'b' });
    expect((await list(json('query', { colour: 'red' }))).body.message).toMatch(/^query\.colour is not/);
  });

  it('are returned in the requested forms', async () => {
    const tags = [
      { key: 'site', value: 'north' },
      { key: 'site', value: 'east' },
    ];
    const body = { name: 'a', tags, attributes: [{ name: 'flow', dataType: 'number' }] };
    const query = 'tagsAsObject=true&attributesAsObject=1';
    const shown = {
      tags: { site: ['north', 'east'] },
      attributes: { flow: { name: 'flow', dataType: 'number' } },
    };
    const { body: device } = await test.client.post(`${path}?${query}`, body, { token: user.token });
    expect(device).toMatchObject(shown);
    const own = `${path}/${device.id}?${query}`;
    expect((await test.client.get(own, { token: user.token })).body).toEqual(device);
    expect((await test.client.patch(own, { description: 'x' }, { token: user.token })).body).toMatchObject(
      shown,
    );
    await connect(device.id, 0);
    const [item] = (await list(query)).body.items;
    expect(item).toMatchObject({
      ...shown,
      connectionInfo: { connected: 0, time: '2026-01-02T03:04:05.006Z' },
    });
    const [without] = (await list('excludeConnectionInfo=true')).body.items;
    expect(without).toMatchObject({ tags, attributes: body.attributes });
    expect(without.connectionInfo).toBeUndefined();
  });

  it('are sorted by their connection status', async () => {
    const ids = [await made({ name: 'a' }), await made({ name: 'b' }), await made({ name: 'c' })];
    await connect(ids[0].id, 1);
    await connect(ids[2].id, 0);
    expect(await names('sortField=connectionStatus')).toEqual(['c', 'a', 'b']);
    expect(await names('sortField=connectionStatus&sortDirection=desc')).toEqual(['b', 'a', 'c']);
  });

  it('are listed after deletion if requested', async () => {
    const device = await made({ name: 'a', tags: [{ key: 'site', value: 'north' }] });
    await made({ name: 'b', tags: [{ key: 'site', value: 'north' }] });
    await test.client.delete(`${path}/${device.id}`, { token: user.token });
    expect(await names('')).toEqual(['b']);
    expect(await names('queryDeleted=true')).toEqual(['a']);
    expect(await names('queryDeleted=true&sortField=deletedAt&tagFilter[0][key]=site')).toEqual(['a']);
    expect(await names(`queryDeleted=1&${json('query', { tags: { site: 'north' } })}`)).toEqual(['a']);
    const { body } = await list('queryDeleted=true&deviceClass=standalone');
    expect(body.items[0].deletedAt).toEqual(expect.any(String));
  });
});
