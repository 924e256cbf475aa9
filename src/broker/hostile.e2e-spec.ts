import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import mqttPacket from 'mqtt-packet';
import { MqttDevice } from '../../test/doubles/mqtt-device.js';
import { makeApplication } from '../../test/make/make.js';
import { makeDevice, makeKey } from '../../test/make/device-tokens.js';
import { brokerSuite } from '../../test/setup/broker.js';
import { waitUntil } from '../../test/setup/until.js';
import { ClientServices } from './client-services.js';

// `FUZZ_PACKETS=100000` is a long run.
const PACKETS = Number(process.env.FUZZ_PACKETS ?? 400);
jest.setTimeout(60_000 + PACKETS * 20);
const suite = brokerSuite({
  MQTT_CONNECTIONS_PER_APPLICATION: '0',
  MQTT_MESSAGES_PER_CLIENT: '0',
  MQTT_MESSAGES_PER_TOPIC: '0',
});
const { generate } = mqttPacket;
/** Packets that a connection sends before the next one. */
const PER_CONNECTION = 25;
const CONNECTIONS = 4;
const SUBACK = 0x90;

/** Seeded pseudo-random numbers (mulberry32), from 0 to 1. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t ^= t + Math.imul(t ^ (t >>> 7), 61 | t);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const services = () => suite.test.app.get(ClientServices, { strict: false });
const connectPacket = (clientId: string) =>
  generate({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: 4,
    clean: true,
    keepalive: 30,
    clientId,
    username: suite.key.key,
    password: Buffer.from(suite.key.secret),
  });
const publishPacket = (topic: string, payload: string | Buffer) =>
  generate({ cmd: 'publish', topic, payload, qos: 0, dup: false, retain: false });

/** A socket to the broker, whose faults are expected. */
async function open(): Promise<Socket> {
  const { port } = new URL(suite.test.mqttUrl);
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** A socket whose client has signed in. */
async function signedIn(deviceId: string): Promise<Socket> {
  const socket = await open();
  socket.write(connectPacket(deviceId));
  // Clients that take over each other's session may be cut off first.
  await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  return socket;
}

const hasEnded = (socket: Socket) => socket.destroyed || socket.readableEnded;

describe('A client is cut off', () => {
  const filters = (count: number) =>
    generate({
      cmd: 'subscribe',
      messageId: 1,
      subscriptions: Array.from({ length: count }, (_, at) => ({ topic: `t/${at}`, qos: 0 as const })),
    });
  it.each<[string, Buffer]>([
    ['that announces 256 MB', Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f])],
    ['whose length has five bytes', Buffer.from([0x30, 0xff, 0xff, 0xff, 0xff, 0x01])],
    ['that sends a packet of servers', Buffer.from([0x20, 2, 0, 0])],
    ['that sends a reserved packet', Buffer.from([0xf0, 0])],
    ['that connects twice', Buffer.from([0x10, 0])],
    ['that publishes with QoS 3', Buffer.from([0x36, 5, 0, 1, 0x61, 0, 1])],
    ['whose topic is longer than its packet', Buffer.from([0x30, 3, 0xff, 0xff, 0x61])],
    ['whose topic has a NUL character', Buffer.from([0x30, 5, 0, 3, 0x61, 0, 0x62])],
    ['that publishes on a topic of 60,000 bytes', publishPacket('a'.repeat(60_000), '')],
    ['whose message has the ID 0', Buffer.from([0x32, 5, 0, 1, 0x61, 0, 0])],
    ['that subscribes to nothing', Buffer.from([0x82, 2, 0, 1])],
    ['that subscribes without flags', Buffer.from([0x80, 6, 0, 1, 0, 1, 0x61, 0])],
    ['that sends 64 KiB of filters', filters(8_000)],
    ['that publishes on an empty topic', publishPacket('a', 'b').fill(0, 3, 4)],
    ['that publishes on a topic with wildcards', Buffer.from([0x30, 4, 0, 1, 0x23, 0x61])],
    ['that publishes on a topic of the broker', publishPacket('$SYS/a', '')],
    ['that publishes on 65 levels', publishPacket('/'.repeat(64), '')],
  ])('%s', async (_, bytes) => {
    const { id } = await suite.makeDevice();
    const socket = await signedIn(id);
    socket.resume().write(bytes);
    await waitUntil(async () => hasEnded(socket));
    const reason = async () => (await suite.logOf(id)).at(-1)?.disconnectReason;
    await waitUntil(async () => (await reason()) !== undefined);
    expect(await reason()).toMatch(/^(Protocol error|Message too large|Publish Error - )/);
  });
});

it('filters of a client are bounded, and those beyond are refused', async () => {
  const { id } = await suite.makeDevice();
  const device = await suite.connect(id);
  const granted: number[] = [];
  for (let at = 0; at < 2_500; at += 500)
    granted.push(
      ...(await device.subscribe(...Array.from({ length: 500 }, (_, index) => `bomb/${at + index}`))),
    );
  expect([
    granted.filter((code) => code === 0).length,
    granted.filter((code) => code === 128).length,
  ]).toEqual([2_000, 500]);
  const other = await suite.connect((await suite.makeDevice()).id);
  const wildcards = await other.subscribe(
    ...Array.from({ length: 150 }, (_, at) => `${'+/'.repeat(50)}${at}`),
  );
  expect(wildcards.filter((code) => code === 0).length).toBe(100);
  expect(await other.subscribe(`${'a/'.repeat(64)}#`, 'x'.repeat(1_025))).toEqual([128, 128]);
});

it('filters of any form match nothing of other applications', async () => {
  const other = await makeApplication(suite.test, suite.user.token);
  const [target, key] = await Promise.all([
    makeDevice(suite.test, suite.user.token, other.id),
    makeKey(suite.test, suite.user.token, other.id, { filterType: 'all' }),
  ]);
  const { id } = await suite.makeDevice();
  const spy = await suite.connect(id);
  const granted = await spy.subscribe(
    '#',
    '+/#',
    '+/+/state',
    `+/${target.id}/state`,
    `/${other.id}/#`,
    `${other.id}/#`,
    suite.topic(target.id, 'state'),
    suite.topic(target.id, 'command'),
    suite.topic(target.id, 'toAgent/#'),
    suite.topic('+', 'state'),
    '$share/group/#',
    '$SYS/#',
  );
  expect(granted.slice(6)).toEqual([128, 128, 128, 128, 128, 128]);
  const victim = await MqttDevice.connect(suite.test.mqttUrl, target.id, key);
  await victim.subscribe(suite.topic(target.id, 'command'));
  await victim.publish('private', 'secret');
  await victim.publish(suite.topic(target.id, 'state'), { data: {} });
  await suite.test.client.post(
    `/applications/${other.id}/devices/${target.id}/command`,
    { name: 'open' },
    { token: suite.user.token },
  );
  await victim.texts(1);
  await victim.disconnect();
  await spy.publish('own', 'last');
  expect(await spy.texts(1)).toEqual(['last']);
});

it('a client that does not read is cut off, and others receive all messages', async () => {
  const [slow, fast, sender] = await Promise.all([1, 2, 3].map(() => suite.makeDevice()));
  const socket = await signedIn(slow!.id);
  socket.write(generate({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: 'flood', qos: 0 }] }));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer[0]).toBe(SUBACK);
  socket.pause();
  const reader = await suite.connect(fast!.id);
  await reader.subscribe('flood');
  const writer = await suite.connect(sender!.id);
  const message = Buffer.alloc(200_000, 'x');
  let sent = 0;
  const isCut = async () =>
    (await suite.logOf(slow!.id)).at(-1)?.disconnectReason === 'Client reads too slowly';
  while (!(await isCut())) {
    if (++sent > 500) throw new Error('The client was not cut off');
    await writer.publish('flood', message);
  }
  await waitUntil(async () => reader.received.length === sent);
  socket.destroy();
});

it(`${PACKETS} damaged packets neither end the process nor leave clients behind`, async () => {
  const random = generator(Number(process.env.SEED ?? 1));
  const below = (end: number) => Math.floor(random() * end);
  const devices = await Promise.all(Array.from({ length: CONNECTIONS }, () => suite.makeDevice()));
  // In another application: damaged IDs can be those of other devices that the key admits.
  const { token } = suite.user;
  const elsewhere = await makeApplication(suite.test, token);
  const key = await makeKey(suite.test, token, elsewhere.id, { filterType: 'all' });
  const witness = await suite.connect((await makeDevice(suite.test, token, elsewhere.id)).id, { key });
  await witness.subscribe('witness');

  const originals = (id: string): Buffer[] => [
    publishPacket(suite.topic(id, 'state'), '{"data":{"temp":1}}'),
    generate({ cmd: 'publish', topic: 'a/b', payload: 'x', qos: 1, messageId: 7, dup: true, retain: true }),
    generate({ cmd: 'subscribe', messageId: 2, subscriptions: [{ topic: 'a/#', qos: 1 }] }),
    generate({ cmd: 'unsubscribe', messageId: 3, unsubscriptions: ['a/#', 'b'] }),
    generate({ cmd: 'pingreq' }),
    connectPacket(id),
  ];
  /** Returns a packet with flipped bits, cut or grown somewhere, or another length. */
  const damaged = (packet: Buffer): Buffer => {
    const bytes = Buffer.from(packet);
    for (let flips = below(4); flips > 0; flips--) bytes[below(bytes.length)]! ^= 1 << below(8);
    switch (below(6)) {
      case 0:
        return bytes.subarray(0, below(bytes.length));
      case 1:
        return Buffer.concat([bytes.subarray(0, below(bytes.length)), Buffer.from([below(256), below(256)])]);
      case 2:
        bytes[1] = below(256);
        return bytes;
      case 3:
        return Buffer.from(Array.from({ length: 1 + below(40) }, () => below(256)));
      default:
        return bytes;
    }
  };

  let left = PACKETS;
  const attack = async (id: string) => {
    while (left > 0) {
      const isNew = below(4) === 0;
      const socket = isNew ? await open() : await signedIn(id);
      socket.resume();
      const packets = originals(id);
      for (let count = 0; count < PER_CONNECTION && left > 0 && !hasEnded(socket); count++) {
        left--;
        const bytes = damaged(packets[below(packets.length)]!);
        // Half of them arrive in two pieces.
        const cut = below(2) === 0 ? below(bytes.length) : 0;
        if (cut > 0) socket.write(bytes.subarray(0, cut));
        if (bytes.length > cut) socket.write(bytes.subarray(cut));
        await new Promise(setImmediate);
      }
      socket.destroy();
    }
  };
  await Promise.all(devices.map(({ id }) => attack(id)));
  await witness.publish('witness', 'unharmed');
  expect((await witness.texts(1)).at(-1)).toBe('unharmed');
  await waitUntil(async () => services().clients.size === 1);
});
