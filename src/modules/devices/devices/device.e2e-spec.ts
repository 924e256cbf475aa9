import { makeFlow } from '../../../../test/make/flows.js';
import { makeApplication } from '../../../../test/make/make.js';
import { requestedRuns } from '../../../../test/make/runs.js';
import { suite } from '../../../../test/setup/suite.js';

const { test, user, application } = suite();
let path: string;

beforeEach(() => {
  path = `/applications/${application.id}/devices`;
});

const create = (body: object) => test.client.post(path, body, { token: user.token });
const made = async (body: object) => (await create(body)).body;
const get = (id: string, query = '') => test.client.get(`${path}/${id}${query}`, { token: user.token });
const patch = (id: string, body: object) => test.client.patch(`${path}/${id}`, body, { token: user.token });

describe('Device', () => {
  it('is created, returned, updated and deleted', async () => {
    const { status, body: device } = await create({ name: 'Pump 3' });
    expect(status).toBe(201);
    expect(device).toEqual({
      id: device.id,
      deviceId: device.id,
      applicationId: application.id,
      creationDate: expect.any(String),
      lastUpdated: device.creationDate,
      name: 'Pump 3',
      tags: [],
      attributes: [],
      deviceClass: 'standalone',
      keepDuplicates: false,
      ancestorIds: [],
      connectionInfo: { connected: null },
    });
    expect((await get(device.id)).body).toEqual(device);
    const changed = await patch(device.id, { name: 'Pump 4', tags: [{ key: 'site', value: 'north' }] });
    expect(changed.body).toMatchObject({ name: 'Pump 4', tags: [{ key: 'site', value: 'north' }] });
    const gone = await test.client.delete(`${path}/${device.id}`, { token: user.token });
    expect(gone.body).toEqual({ success: true });
    expect((await get(device.id)).status).toBe(404);
    expect((await patch(device.id, { name: 'b' })).status).toBe(404);
    expect((await test.client.delete(`${path}/${device.id}`, { token: user.token })).status).toBe(404);
  });
});

describe('New device', () => {
  it('runs the workflows triggered by one of its tags, and counts as a payload', async () => {
    const trigger = { type: 'deviceCreate', key: 'site/', config: {}, outputIds: [] };
    const flow = await makeFlow(test, user.token, application.id, { triggers: [trigger] });
    await made({ name: 'other' });
    const device = await made({ name: 'Pump', tags: [{ key: 'site', value: 'north' }] });
    const runs = await requestedRuns(test, { flowId: flow.id });
    expect(runs).toMatchObject([{ deviceId: device.id, trigger: { data: { device: { name: 'Pump' } } } }]);
    const { body } = await test.client.get(
      `/applications/${application.id}?summaryInclude=payloadCount,deviceCount`,
      { token: user.token },
    );
    expect(body.summary).toMatchObject({
      deviceCount: 2,
      payloadCount: { deviceCreate: { 'user.rest': 2 } },
    });
  });
});

describe('Device attributes', () => {
  it('keep their reported values while name and data type do not change', async () => {
    const numbers = async (id: string) => {
      const [row] = await test.dataSource.query<{ n: object }[]>(
        'SELECT attribute_numbers AS n FROM devices WHERE id = $1',
        [id],
      );
      return row!.n;
    };
    const attribute = (name: string, dataType: string) => ({ name, dataType });
    const device = await made({
      name: 'Pump',
      attributes: [attribute('a', 'number'), attribute('b', 'string')],
    });
    expect(await numbers(device.id)).toEqual({ a: 1, b: 2 });
    const attributes = [attribute('b', 'string'), attribute('a', 'boolean')];
    expect((await patch(device.id, { attributes })).body.attributes).toEqual(attributes);
    expect(await numbers(device.id)).toEqual({ a: 3, b: 2 });
    const { body } = await patch(device.id, { attributes: [...attributes, attribute('a', 'gps')] });
    expect(body.message).toBe('device.attributes.2.name is a duplicate');
  });

  it('get unique numbers when changed concurrently', async () => {
    const device = await made({ name: 'Pump' });
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((name) => patch(device.id, { attributes: [{ name, dataType: 'number' }] })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const [row] = await test.dataSource.query<{ next: number }[]>(
      'SELECT next_attribute_number AS next FROM devices WHERE id = $1',
      [device.id],
    );
    expect(row!.next).toBe(4);
  });

  it.each([
    [{}, 'device.name is required'],
    [{ name: 'a', deviceClass: 'pump' }, /^device\.deviceClass must be one of /],
    [{ name: 'a', tags: [{ key: 'a' }] }, 'device.tags.0.value is required'],
    [{ name: 'a', attributes: [{ name: 'a b', dataType: 'number' }] }, /^device\.attributes\.0\.name /],
    [{ name: 'a', systemInterval: 60 }, 'device.systemInterval is supported only for systems'],
    [{ name: 'a', colour: 'red' }, 'device.colour is not a property of device'],
    [
      { name: 'a', parentId: '575ec8687ae143cd83dc4a97' },
      'device.parentId is not a system of the application',
    ],
  ])('and other properties are rejected for %j', async (body, message) => {
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
  });
});

describe('Device class', () => {
  it('becomes peripheral with a gateway, and floating without one', async () => {
    const gateway = await made({ name: 'Gateway', deviceClass: 'gateway' });
    expect(await made({ name: 'a', deviceClass: 'peripheral' })).toMatchObject({ deviceClass: 'floating' });
    const { body: device } = await create({ name: 'b', deviceClass: 'peripheral', gatewayId: gateway.id });
    expect(device).toMatchObject({ deviceClass: 'peripheral', gatewayId: gateway.id });
    const { body: refused } = await patch(gateway.id, { deviceClass: 'standalone' });
    expect(refused.message).toBe('device.deviceClass cannot change while it is the gateway of peripherals');
    const { body: floating } = await patch(device.id, { deviceClass: 'floating' });
    expect(floating.deviceClass).toBe('floating');
    expect(floating.gatewayId).toBeUndefined();
    expect((await patch(gateway.id, { deviceClass: 'standalone' })).status).toBe(200);
  });

  it('cannot refer to a gateway of another application', async () => {
    const other = await makeApplication(test, user.token);
    const { body: gateway } = await test.client.post(
      `/applications/${other.id}/devices`,
      { name: 'Gateway', deviceClass: 'gateway' },
      { token: user.token },
    );
    const { body } = await create({ name: 'b', deviceClass: 'peripheral', gatewayId: gateway.id });
    expect(body.message).toBe('device.gatewayId is not a gateway or edge compute device of the application');
  });
});

describe('Nested systems', () => {
  it('cannot form a cycle, even if two are moved concurrently', async () => {
    const [a, b] = [
      await made({ name: 'a', deviceClass: 'system' }),
      await made({ name: 'b', deviceClass: 'system' }),
    ];
    const answers = await Promise.all([
      patch(a.id, { parentId: b.id }),
      patch(b.id, { parentId: a.id.toUpperCase() }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const above = answers[0].status === 200 ? b : a;
    const below = above === b ? a : b;
    expect((await get(below.id)).body.ancestorIds).toEqual([above.id]);
    const leaf = await made({ name: 'leaf', parentId: below.id });
    expect(leaf.ancestorIds).toEqual([below.id, above.id]);
    expect((await patch(leaf.id, { parentId: null })).body.ancestorIds).toEqual([]);
  });

  it('report at the shortest interval that their owner allows', async () => {
    expect(await made({ name: 'a', deviceClass: 'system' })).toMatchObject({ systemInterval: 60 });
    await test.dataSource.query('UPDATE users SET limits = $2 WHERE id = $1', [
      user.id,
      { systemInterval: 300 },
    ]);
    const device = await made({ name: 'b', deviceClass: 'system' });
    expect(device.systemInterval).toBe(300);
    const { body } = await patch(device.id, { systemInterval: 60 });
    expect(body.message).toBe('device.systemInterval must be at least 300, the limit of the owner');
    expect((await patch(device.id, { deviceClass: 'gateway' })).status).toBe(400);
    expect((await patch(device.id, { systemInterval: 600 })).body.systemInterval).toBe(600);
  });

  it('can be at most 100 levels deep, including deleted systems', async () => {
    let parentId: string | undefined;
    const ids: string[] = [];
    for (let level = 0; level < 100; level++) {
      const system = await made({
        name: `s${level}`,
        deviceClass: 'system',
        ...(parentId ? { parentId } : {}),
      });
      ids.push((parentId = system.id as string));
    }
    const deeper = await create({ name: 'deeper', deviceClass: 'system', parentId });
    expect(deeper.body.message).toBe('device.parentId would nest systems more than 100 levels deep');
    const top = await made({ name: 'top', deviceClass: 'system' });
    const below = await patch(ids[0]!, { parentId: top.id });
    expect(below.body.message).toBe('device.parentId would nest systems more than 100 levels deep');
    const leaf = await made({ name: 'leaf', parentId });
    expect(leaf.ancestorIds).toEqual([...ids].reverse());
    await test.client.delete(`${path}/${ids[97]}`, { token: user.token });
    expect((await get(leaf.id)).body).toMatchObject({ parentId, ancestorIds: [ids[99], ids[98]] });
    expect((await get(ids[98]!)).body.parentId).toBe(ids[97]);
    const circle = await patch(ids[0]!, { parentId: ids[98] });
    expect(circle.body.message).toBe('device.parentId is the device itself or one of its descendants');
  });
});
