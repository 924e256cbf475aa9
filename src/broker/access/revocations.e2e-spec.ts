import { makeOrg, makeApplication } from '../../../test/make/make.js';
import { makeDevice, makeKey } from '../../../test/make/device-tokens.js';
import type { MqttDevice } from '../../../test/doubles/mqtt-device.js';
import { brokerSuite } from '../../../test/setup/broker.js';
import { waitUntil } from '../../../test/setup/until.js';

const suite = brokerSuite({}, 2);
const token = () => suite.user.token;
const tags = [{ key: 'site', value: 'north' }];
let id: string;
/** Connected to a process other than the one that changes rights. */
let device: MqttDevice;
beforeEach(async () => {
  ({ id } = await suite.makeDevice({ tags }));
});

const patch = async (path: string, body: object) =>
  expect((await suite.test.client.patch(`${suite.path}${path}`, body, { token: token() })).status).toBe(200);
const remove = async (path: string) =>
  expect((await suite.test.client.delete(`${suite.path}${path}`, { token: token() })).status).toBe(200);
const connect = async (key = suite.key) => (device = await suite.connect(id, { key, at: suite.brokers[1] }));

/** Whether the client is still connected after the rights of all clients were checked again. */
async function stays(): Promise<boolean> {
  const other = await suite.makeDevice();
  const key = await suite.makeKey();
  const last = await suite.connect(other.id, { key, at: suite.brokers[1] });
  await patch(`/keys/${key.id}`, { status: 'inactive' });
  await last.ends();
  return !device.isClosed;
}

async function isCut(reason: string): Promise<void> {
  await device.ends();
  await waitUntil(async () => (await suite.logOf(id)).at(-1)?.connected === 0);
  expect((await suite.logOf(id)).at(-1).disconnectReason).toBe(reason);
}

describe('A client is disconnected', () => {
  it('if its key becomes inactive or is deleted', async () => {
    await connect();
    await patch(`/keys/${suite.key.id}`, { status: 'inactive' });
    await isCut('Access key disabled');
    await patch(`/keys/${suite.key.id}`, { status: 'active' });
    await connect();
    await remove(`/keys/${suite.key.id}`);
    await isCut('Access key disabled');
  });

  it('if the device is deleted', async () => {
    await connect();
    await suite.test.client.delete(`${suite.path}/devices/${id}`, { token: token() });
    await device.ends();
    const rows = await suite.test.dataSource.query(
      'SELECT disconnect_reason FROM device_connections WHERE device_id = $1 AND connected = 0',
      [id],
    );
    await waitUntil(async () => rows.length > 0 || device.isClosed);
  });

  it('if the device loses the tag by which the key covers it, or changes to a class without keys', async () => {
    await connect(await suite.makeKey({ deviceTags: tags }));
    await patch(`/devices/${id}`, { tags: [...tags, { key: 'a', value: 'b' }] });
    expect(await stays()).toBe(true);
    await patch(`/devices/${id}`, { tags: [] });
    await isCut('Access revoked');
    await connect();
    await patch(`/devices/${id}`, { deviceClass: 'floating' });
    await device.ends();
  });

  it('if the key does not allow its address any more', async () => {
    await connect();
    await patch(`/keys/${suite.key.id}`, { addressFilterType: 'blacklist', addresses: ['127.0.0.1'] });
    await isCut('Access revoked');
  });

  it('if its application or the owner of that is deleted', async () => {
    const org = await makeOrg(suite.test, token());
    for (const gone of ['application', 'owner'] as const) {
      const application = await makeApplication(suite.test, token(), { orgId: org.id });
      const own = await makeDevice(suite.test, token(), application.id);
      const key = await makeKey(suite.test, token(), application.id);
      device = await suite.connect(own.id, { key, at: suite.brokers[1] });
      const path = gone === 'owner' ? `/orgs/${org.id}` : `/applications/${application.id}`;
      expect((await suite.test.client.delete(path, { token: token() })).status).toBe(200);
      await device.ends();
    }
  });
});

describe('A client continues', () => {
  it('with the topics that its key has now', async () => {
    const key = await suite.makeKey({ filterType: 'all' });
    await connect(key);
    expect(await device.subscribe('a/#', 'b')).toEqual([0, 0]);
    await patch(`/keys/${key.id}`, { filterType: 'whitelist', subTopics: ['b'], pubTopics: ['a/1', 'b'] });
    expect(await stays()).toBe(true);
    await device.publish('a/1', 'x');
    await device.publish('b', 'y');
    expect(await device.texts(1)).toEqual(['y']);
    device.client.publish('c', 'x');
    await isCut('Publish Error - Not allowed to publish to c');
  });

  it('without the messages of a peripheral that has moved, or a device that has left its key', async () => {
    const [gateway, other] = await Promise.all(
      [1, 2].map(() => suite.makeDevice({ deviceClass: 'gateway' })),
    );
    const peripheral = await suite.makeDevice({ deviceClass: 'peripheral', gatewayId: gateway!.id });
    const neighbour = await suite.makeDevice({ tags });
    const key = await suite.makeKey({ deviceIds: [gateway!.id], deviceTags: tags });
    device = await suite.connect(gateway!.id, { key, at: suite.brokers[1] });
    const topics = [peripheral, neighbour].map((one) => suite.topic(one.id, 'command'));
    expect(await device.subscribe(...topics)).toEqual([0, 0]);
    await patch(`/devices/${peripheral.id}`, { gatewayId: other!.id });
    await patch(`/devices/${neighbour.id}`, { tags: [] });
    expect(await stays()).toBe(true);
    for (const one of [peripheral, neighbour, gateway!])
      await suite.post(`/devices/${one.id}/command`, { name: 'a' });
    await device.subscribe(suite.topic(gateway!.id, 'command'));
    await suite.post(`/devices/${gateway!.id}/command`, { name: 'b' });
    expect((await device.texts(1)).map((text) => JSON.parse(text).name)).toEqual(['b']);
  });
});
