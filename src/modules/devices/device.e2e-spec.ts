import { makeApplication } from '../../../test/make.js';
import { suite } from '../../../test/suite.js';

const { test, user, application } = suite();
let path: string;

beforeEach(() => {
  path = `/applications/${application.id}/devices`;
});

const create = (body: object) => test.client.post(path, body, { token: user.token });
const made = async (body: object) => (await create(body)).body;
const get = (id: string, query = '') => test.client.get(`${path}/${id}${query}`, { token: user.token });
const patch = (id: string, body: object) => test.client.patch(`${path}/${id}`, body, { token: user.token });

describe('A device', () => {
  it('is created, returned, changed and deleted', async () => {
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

describe('Classes', () => {
  it('make a peripheral of a device with a gateway, and a floating one without', async () => {
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

  it('take nothing from another application', async () => {
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

describe('Systems', () => {
  it('stand below each other without a circle, also when two move at once', async () => {
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
});
