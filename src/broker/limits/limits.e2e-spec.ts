import { connackOf } from '../../../test/doubles/mqtt-device.js';
import { makeApplication } from '../../../test/make/make.js';
import { makeDevice, makeKey } from '../../../test/make/device-tokens.js';
import { brokerSuite, type TestBroker } from '../../../test/setup/broker.js';
import { waitUntil } from '../../../test/setup/until.js';
import { RateLimits } from '../../platform/throttle/rate-limits.js';
import { Bans } from './bans.js';

const suite = brokerSuite(
  {
    MQTT_CONNECTIONS_PER_APPLICATION: '5',
    MQTT_MESSAGES_PER_TOPIC: '30',
    MQTT_MESSAGES_PER_CLIENT: '100',
    MQTT_CLIENTS: '6',
  },
  2,
);
const UNAVAILABLE = 3;
const bansOf = (n: number) => suite.brokers[n]!.app.get(Bans, { strict: false });

/** Publishes until the client is cut off. */
async function flood(deviceId: string, topics: number): Promise<void> {
  const device = await suite.connect(deviceId);
  for (let n = 0; n < 200 && !device.isClosed; n++) device.client.publish(`a/${n % topics}`, 'x', { qos: 1 });
  await device.ends();
}

describe('A client that sends too many messages', () => {
  it.each([
    ['on a topic', 1, 30],
    ['in total', 50, 100],
  ])('%s is cut off and banned, in all processes', async (_, topics, limit) => {
    const { id } = await suite.makeDevice();
    await flood(id, topics);
    await waitUntil(async () => (await suite.logOf(id)).length === 2);
    expect((await suite.logOf(id))[1]).toMatchObject({
      disconnectReason: 'Rate limit exceeded',
      messagesFromClient: limit + 1,
    });
    for (const at of suite.brokers) {
      await waitUntil(async () => bansOf(suite.brokers.indexOf(at)).isBanned(id));
      expect(await connackOf(suite.connect(id, { at }))).toBe(UNAVAILABLE);
    }
  });

  it('is banned for twice as long each time, up to an hour', async () => {
    const { id } = await suite.makeDevice();
    const seconds = [];
    for (let n = 0; n < 10; n++) seconds.push(await bansOf(n % 2).ban(id));
    expect(seconds).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]);
  });
});

describe('A caller of the API that has published too many messages', () => {
  it('is refused on this topic, in all processes', async () => {
    const rate = { points: 30, duration: 15 };
    const limit = suite.test.app.get(RateLimits, { strict: false }).limit('mqtt:topic', rate);
    // For long enough to send the requests below.
    await limit.add(`${suite.application.id}:a`, 30, 600);
    const publish = async (at: TestBroker, topic: string) => {
      const path = `${suite.path}/mqttPublishMessage`;
      return at.client.post(path, { topic, message: 'x' }, { token: suite.user.token });
    };
    for (const at of suite.brokers) {
      const { status, body } = await publish(at, 'a');
      expect([status, body.message]).toEqual([429, 'Too many messages on the same topic']);
    }
    expect((await publish(suite.test, 'b')).status).toBe(200);
  });
});

describe('New connections', () => {
  it('of an application are limited in all processes, without blocking other applications', async () => {
    const devices = await Promise.all([1, 2, 3, 4, 5, 6].map(() => suite.makeDevice()));
    const codes = [];
    for (const [n, { id }] of devices.entries())
      codes.push(await connackOf(suite.connect(id, { at: suite.brokers[n % 2] })));
    expect(codes).toEqual([0, 0, 0, 0, 0, UNAVAILABLE]);
    const { id } = await makeApplication(suite.test, suite.user.token);
    const [other, key] = await Promise.all([
      makeDevice(suite.test, suite.user.token, id),
      makeKey(suite.test, suite.user.token, id),
    ]);
    expect(await connackOf(suite.connect(other.id, { key }))).toBe(0);
  });

  it('of a process with the maximum number of clients are refused', async () => {
    const applications = await Promise.all([1, 2].map(() => makeApplication(suite.test, suite.user.token)));
    for (const [n, { id }] of applications.entries()) {
      const key = await makeKey(suite.test, suite.user.token, id);
      const codes = [];
      for (let i = 0; i < 4; i++) {
        const device = await makeDevice(suite.test, suite.user.token, id);
        codes.push(
          await suite.connect(device.id, { key }).then(
            () => 0,
            ({ code }: { code?: number }) => code,
          ),
        );
      }
      expect(codes).toEqual(n === 0 ? [0, 0, 0, 0] : [0, 0, UNAVAILABLE, UNAVAILABLE]);
    }
  });
});
