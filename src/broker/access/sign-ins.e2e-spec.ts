import type { IClientOptions } from 'mqtt';
import { makeApplication } from '../../../test/make/make.js';
import { makeDevice, makeKey } from '../../../test/make/device-tokens.js';
import { connackOf } from '../../../test/doubles/mqtt-device.js';
import { brokerSuite } from '../../../test/setup/broker.js';
import { waitUntil } from '../../../test/setup/until.js';
import { DeviceGrantsRepository } from './device-grants.repository.js';
import { newId } from '../../platform/repositories/resource.js';

const suite = brokerSuite();
let id: string;
beforeEach(async () => {
  ({ id } = await suite.makeDevice());
});

const codeOf = (
  deviceId: string,
  key = suite.key as { key: string; secret: string },
  more: IClientOptions = {},
) => connackOf(suite.connect(deviceId, { ...more, key }));
/** Codes of CONNACK. */
const [ACCEPTED, PROTOCOL, IDENTIFIER, UNAVAILABLE, CREDENTIALS, AUTHORIZATION] = [0, 1, 2, 3, 4, 5];

describe('A client', () => {
  it('is accepted with the ID of a device, in any case, and a key', async () => {
    expect(await codeOf(id)).toBe(ACCEPTED);
    expect(await codeOf(id.toUpperCase())).toBe(ACCEPTED);
    expect(await codeOf(id, suite.key, { clean: false })).toBe(ACCEPTED);
  });

  it('is rejected without the ID of a device that connects itself', async () => {
    const gateway = await suite.makeDevice({ deviceClass: 'gateway' });
    const made = await Promise.all([
      suite.makeDevice({ deviceClass: 'floating' }),
      suite.makeDevice({ deviceClass: 'peripheral', gatewayId: gateway.id }),
      suite.makeDevice({ deviceClass: 'system' }),
    ]);
    const deleted = await suite.makeDevice();
    await suite.test.client.delete(`${suite.path}/devices/${deleted.id}`, { token: suite.user.token });
    const ids = [...[...made, deleted].map((device) => device.id), newId(), 'pump', `${id}0`, ''];
    for (const wrong of ids) expect([wrong, await codeOf(wrong)]).toEqual([wrong, IDENTIFIER]);
  });

  it('is rejected without a key of the application that is active, and its secret', async () => {
    const { key, secret } = suite.key;
    const inactive = await suite.makeKey();
    const path = `${suite.path}/keys/${inactive.id}`;
    await suite.test.client.patch(path, { status: 'inactive' }, { token: suite.user.token });
    const elsewhere = await makeApplication(suite.test, suite.user.token);
    const foreign = await makeKey(suite.test, suite.user.token, elsewhere.id);
    const wrong = [
      { key, secret: `${secret}x` },
      { key, secret: '' },
      { key: newId(), secret },
      { key: '', secret },
      { key: 'k\0', secret },
      { key: 'k'.repeat(300), secret },
      inactive,
      foreign,
    ];
    for (const presented of wrong) expect(await codeOf(id, presented)).toBe(CREDENTIALS);
    expect(await codeOf(id, undefined, { username: undefined, password: undefined })).toBe(CREDENTIALS);
    expect(await codeOf(id)).toBe(ACCEPTED);
  });

  it('is rejected if the key does not cover the device or the address', async () => {
    const tags = [{ key: 'site', value: 'north' }];
    const [listed, tagged] = await Promise.all([suite.makeDevice(), suite.makeDevice({ tags })]);
    const restricted = await suite.makeKey({ deviceIds: [listed.id], deviceTags: tags });
    expect(await codeOf(listed.id, restricted)).toBe(ACCEPTED);
    expect(await codeOf(tagged.id, restricted)).toBe(ACCEPTED);
    expect(await codeOf(id, restricted)).toBe(AUTHORIZATION);
    const here = { addressFilterType: 'whitelist', addresses: ['127.0.0.0/8'] };
    expect(await codeOf(id, await suite.makeKey(here))).toBe(ACCEPTED);
    const there = { addressFilterType: 'whitelist', addresses: ['192.0.2.0/24'] };
    expect(await codeOf(id, await suite.makeKey(there))).toBe(AUTHORIZATION);
  });

  it('is rejected if the application no longer exists', async () => {
    const application = await makeApplication(suite.test, suite.user.token);
    const [device, key] = await Promise.all([
      makeDevice(suite.test, suite.user.token, application.id),
      makeKey(suite.test, suite.user.token, application.id),
    ]);
    expect(await codeOf(device.id, key)).toBe(ACCEPTED);
    await suite.test.client.delete(`/applications/${application.id}`, { token: suite.user.token });
    expect([IDENTIFIER, CREDENTIALS, AUTHORIZATION]).toContain(await codeOf(device.id, key));
  });

  it('is told to try again if PostgreSQL does not respond', async () => {
    const grants = suite.test.app.get(DeviceGrantsRepository, { strict: false });
    jest.spyOn(grants, 'withKey').mockRejectedValueOnce(new Error('Connection terminated unexpectedly'));
    expect(await codeOf(id)).toBe(UNAVAILABLE);
    expect(await codeOf(id)).toBe(ACCEPTED);
  });

  it('that speaks another version of the protocol is rejected', async () => {
    const old = { protocolId: 'MQIsdp', protocolVersion: 3 } as const;
    expect(await codeOf(id, suite.key, old)).toBe(PROTOCOL);
    expect(await codeOf(id, suite.key, { protocolVersion: 5 })).toBe(0x84);
  });

  it('with a last will on a topic that it may not publish on is rejected', async () => {
    const will = (topic: string, qos: 0 | 1 | 2 = 0) => ({ will: { topic, payload: Buffer.from('x'), qos } });
    for (const topic of [`fieldwright/${newId()}/state`, 'a/#', '$SYS/x'])
      expect(await codeOf(id, suite.key, will(topic))).toBe(AUTHORIZATION);
    expect(await codeOf(id, suite.key, will('a', 2))).toBe(AUTHORIZATION);
    expect(await codeOf(id, suite.key, will('a', 1))).toBe(ACCEPTED);
  });
});

describe('A rejected client', () => {
  it('is logged for the device, which stays connected, once a minute', async () => {
    const wrong = { key: suite.key.key, secret: 'x' };
    const device = await suite.connect(id);
    for (let n = 0; n < 3; n++) await codeOf(id, wrong);
    await waitUntil(async () => (await suite.logOf(id)).length === 2);
    expect(await suite.logOf(id)).toMatchObject([
      { connected: 1 },
      { connected: 0, disconnectReason: 'Authentication failed', ipAddress: '127.0.0.1' },
    ]);
    expect((await suite.get(`/devices/${id}`)).connectionInfo).toMatchObject({ connected: 1 });
    expect(device.isClosed).toBe(false);
  });
});
