import { makeFlow } from '../../../test/make/flows.js';
import { requestedRuns } from '../../../test/make/runs.js';
import type { MqttDevice } from '../../../test/doubles/mqtt-device.js';
import { brokerSuite } from '../../../test/setup/broker.js';
import { waitUntil } from '../../../test/setup/until.js';
import { DeviceSessionsRepository } from './device-sessions.repository.js';
import { Sessions } from './sessions.js';
import { SessionLease } from './session-lease.js';
import { Revocations } from '../../platform/access/revocations.js';
import { TopicBus } from '../../platform/topics/topic-bus.js';

const suite = brokerSuite({}, 2);
const sessionsOf = (at = suite.test) => at.app.get(Sessions, { strict: false });
const will = (topic: string, payload = 'gone') => ({
  will: { topic, payload: Buffer.from(payload), qos: 1 as const },
});

const reasonsOf = async (id: string) =>
  (await suite.logOf(id)).map(({ connected, disconnectReason }) =>
    connected ? 'connected' : disconnectReason,
  );
const isConnected = async (id: string) => (await suite.get(`/devices/${id}`)).connectionInfo.connected;
const sessionRows = (deviceId: string) =>
  suite.test.dataSource.query('SELECT * FROM device_sessions WHERE device_id = $1', [deviceId]);

describe('A device that connects again', () => {
  it.each([
    ['to the same process', 0],
    ['to another process', 1],
  ])('%s takes over, and the end of the other session is logged first', async (_, process) => {
    const { id } = await suite.makeDevice();
    const flow = await makeFlow(suite.test, suite.user.token, suite.application.id, {
      triggers: ['deviceIdConnect', 'deviceIdDisconnect'].map((type) => ({
        type,
        key: id,
        config: {},
        outputIds: [],
      })),
    });
    const first = await suite.connect(id);
    await first.publish('a', 'x');
    const second = await suite.connect(id, { at: suite.brokers[process] });
    await first.ends();
    await second.subscribe('a');
    await second.publish('a', 'x');
    await second.texts(1);
    expect(await reasonsOf(id)).toEqual(['connected', 'Duplicate connection', 'connected']);
    expect((await suite.logOf(id))[1]).toMatchObject({ messagesFromClient: 1, messagesToClient: 0 });
    expect(await isConnected(id)).toBe(1);
    expect(await sessionRows(id)).toHaveLength(1);
    const runs = await requestedRuns(suite.test, { flowId: flow.id });
    expect(runs.map(({ trigger }) => trigger.type)).toEqual([
      'deviceIdConnect',
      'deviceIdDisconnect',
      'deviceIdConnect',
    ]);
  });

  it('to a process that has not heard of the other one yet takes over', async () => {
    const { id } = await suite.makeDevice();
    const first = await suite.connect(id);
    const heard = jest.spyOn(Revocations.prototype, 'hasPeers', 'get').mockReturnValue(false);
    await suite.connect(id, { at: suite.brokers[1] });
    heard.mockRestore();
    await first.ends();
    expect(await reasonsOf(id)).toEqual(['connected', 'Duplicate connection', 'connected']);
  });

  it('to another process takes over although the first request for it was lost', async () => {
    const { id } = await suite.makeDevice();
    const first = await suite.connect(id);
    const { bus } = sessionsOf(suite.brokers[1]) as unknown as { bus: TopicBus };
    jest.spyOn(bus, 'publish').mockImplementationOnce(() => undefined);
    await suite.connect(id, { at: suite.brokers[1] });
    await first.ends();
    expect(await reasonsOf(id)).toEqual(['connected', 'Duplicate connection', 'connected']);
  });

  it('many times at once, to all processes, has one session and is shown as connected', async () => {
    const { id } = await suite.makeDevice();
    const attempts = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) => suite.connect(id, { at: suite.brokers[n % 2] })),
    );
    const connected = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? attempt.value : []));
    await waitUntil(async () => connected.filter(({ isClosed }) => !isClosed).length <= 1);
    const last = await suite.connect(id);
    await waitUntil(async () => connected.every(({ isClosed }) => isClosed));
    expect(await isConnected(id)).toBe(1);
    const reasons = await reasonsOf(id);
    // Each end follows its beginning.
    expect(reasons.map((reason) => reason === 'connected')).toEqual(reasons.map((_, n) => n % 2 === 0));
    await last.disconnect();
    await waitUntil(async () => (await sessionRows(id)).length === 0);
    expect(await isConnected(id)).toBe(0);
  });

  it('can do so although the end of its session could not be stored, which is noticed later', async () => {
    const { id } = await suite.makeDevice();
    const rows = suite.test.app.get(DeviceSessionsRepository, { strict: false });
    const first = await suite.connect(id);
    const close = jest.spyOn(rows, 'close').mockRejectedValue(new Error('No such value'));
    await first.disconnect();
    await waitUntil(async () => close.mock.calls.length > 0);
    await (await suite.connect(id)).disconnect();
    await waitUntil(async () => close.mock.calls.length > 1);
    close.mockRestore();
    expect(await isConnected(id)).toBe(1);
    await waitUntil(async () => {
      await sessionsOf().compare();
      return (await isConnected(id)) === 0;
    });
    expect(await reasonsOf(id)).toEqual([
      'connected',
      'Duplicate connection',
      'connected',
      'Connection closed',
    ]);
  });

  it('to two processes at once takes over from the one in which it was first', async () => {
    const { id } = await suite.makeDevice();
    const first = await suite.connect(id);
    const taking = sessionsOf(suite.brokers[1]);
    const receive = taking.receive.bind(taking);
    const between: Promise<MqttDevice>[] = [];
    jest.spyOn(taking, 'receive').mockImplementation((message) => {
      if (between.length > 0) return receive(message);
      // The first session is closed. Before the other process can store its own, a client opens another at its process.
      const connecting = suite.connect(id);
      between.push(connecting);
      void connecting.then(() => receive(message));
    });
    const second = await suite.connect(id, { at: suite.brokers[1] });
    await first.ends();
    await (await between[0]!).ends();
    expect(second.isClosed).toBe(false);
    const ended = ['connected', 'Duplicate connection'];
    expect(await reasonsOf(id)).toEqual([...ended, ...ended, 'connected']);
    expect(await sessionRows(id)).toHaveLength(1);
  });
});

describe('A last will', () => {
  it('is published if the connection ends without a DISCONNECT, and not otherwise', async () => {
    const reader = await suite.connect((await suite.makeDevice()).id, { at: suite.brokers[1] });
    await reader.subscribe('wills/#');
    const devices = await Promise.all([1, 2, 3].map(() => suite.makeDevice()));
    const [broken, left, replaced] = await Promise.all(
      devices.map(({ id }, n) => suite.connect(id, will(`wills/${n}`))),
    );
    broken!.break();
    await left!.disconnect();
    await suite.connect(devices[2]!.id, { at: suite.brokers[1] });
    await replaced!.ends();
    await reader.texts(2);
    await reader.publish('wills/end', 'end');
    await reader.texts(3);
    expect(reader.received.map(({ topic }) => topic).sort()).toEqual(['wills/0', 'wills/2', 'wills/end']);
  });

  it('can be a report', async () => {
    const { id } = await suite.makeDevice({ attributes: [{ name: 'on', dataType: 'boolean' }] });
    const device = await suite.connect(id, will(suite.topic(id, 'state'), '{"data":{"on":false}}'));
    device.break();
    await waitUntil(async () => (await suite.get(`/devices/${id}/compositeState`)).on?.value === false);
  });
});

describe('Messages between processes', () => {
  it('reach the devices that have subscribed, in the order in which each sender sent them', async () => {
    const [one, two] = await Promise.all([suite.makeDevice(), suite.makeDevice()]);
    const reader = await suite.connect(one.id, { at: suite.brokers[1] });
    const sender = await suite.connect(two.id);
    await reader.subscribe('a/#', suite.topic(one.id, 'command'));
    const texts = Array.from({ length: 100 }, (_, n) => String(n));
    for (const text of texts) sender.client.publish(`a/${Number(text) % 3}`, text);
    for (const name of ['x', 'y', 'z']) await suite.post(`/devices/${one.id}/command`, { name });
    await reader.texts(103);
    const custom = reader.received.filter(({ topic }) => topic.startsWith('a/')).map(({ text }) => text);
    expect(custom).toEqual(texts);
    const commands = reader.received.filter(({ topic }) => topic.endsWith('command'));
    expect(commands.map(({ text }) => JSON.parse(text).name)).toEqual(['x', 'y', 'z']);
  });
});

/** Lets a process appear dead: it keeps its clients, but neither renews its lease nor responds. Returns how to end that. */
async function kill(at = suite.brokers[1]!): Promise<() => void> {
  const lease = at.app.get(SessionLease, { strict: false });
  const renewal = jest.spyOn(lease as unknown as { runBatch(): Promise<boolean> }, 'runBatch');
  renewal.mockResolvedValue(false);
  jest.spyOn(at.app.get(Sessions, { strict: false }), 'receive').mockReturnValue();
  await suite.test.dataSource.query(
    `UPDATE broker_processes SET expires_at = now() - interval '1 second' WHERE id = $1`,
    [at.app.get(TopicBus).processId],
  );
  return () => renewal.mockRestore();
}

describe('After a process has died', () => {
  it('others close its sessions, publish their wills and run workflows', async () => {
    const devices = await Promise.all([1, 2].map(() => suite.makeDevice()));
    const flow = await makeFlow(suite.test, suite.user.token, suite.application.id, {
      triggers: devices.map(({ id }) => ({ type: 'deviceIdDisconnect', key: id, config: {}, outputIds: [] })),
    });
    const reader = await suite.connect((await suite.makeDevice()).id);
    await reader.subscribe('wills/#');
    for (const [n, { id }] of devices.entries())
      await suite.connect(id, { at: suite.brokers[1], ...will(`wills/${n}`) });
    const revive = await kill();
    await suite.test.app.get(SessionLease, { strict: false })['closeLost']();
    for (const { id } of devices) {
      // Another process may have begun to close them.
      await waitUntil(async () => (await isConnected(id)) === 0);
      expect(await reasonsOf(id)).toEqual(['connected', 'Server shutdown']);
    }
    expect((await reader.texts(2)).length).toBe(2);
    await waitUntil(async () => (await requestedRuns(suite.test, { flowId: flow.id })).length === 2);
    expect((await requestedRuns(suite.test, { flowId: flow.id }))[0]!.trigger.data).toMatchObject({
      disconnectReason: 'Server shutdown',
      method: 'mqtt',
    });
    // It was not dead after all: its clients must connect again, because they are shown as disconnected.
    revive();
    await suite.brokers[1]!.app.get(SessionLease, { strict: false })['runBatch']();
    await waitUntil(async () => sessionsOf(suite.brokers[1]).size === 0);
  });

  it('its devices connect to others, before and after that is noticed', async () => {
    const { id } = await suite.makeDevice();
    const old = await suite.connect(id, { at: suite.brokers[1], ...will('wills/x') });
    const reader = await suite.connect((await suite.makeDevice()).id);
    await reader.subscribe('wills/#');
    // Its lease is valid, but it does not respond.
    jest.spyOn(sessionsOf(suite.brokers[1]), 'receive').mockReturnValue();
    await suite.connect(id);
    expect(await reasonsOf(id)).toEqual(['connected', 'Server shutdown', 'connected']);
    expect(await isConnected(id)).toBe(1);
    expect(await reader.texts(1)).toEqual(['gone']);
    expect(old.isClosed).toBe(false);
    await sessionsOf(suite.brokers[1]).compare();
    await old.ends();
    expect(await isConnected(id)).toBe(1);
    expect(await reasonsOf(id)).toHaveLength(3);
  });
});

describe('A process that stops', () => {
  it('closes the sessions of its clients', async () => {
    const { id } = await suite.makeDevice();
    const stopping = suite.brokers[1]!;
    const { processId } = stopping.app.get(TopicBus);
    const device = await suite.connect(id, { at: stopping });
    await stopping.close();
    stopping.close = async () => undefined;
    await device.ends();
    expect(await reasonsOf(id)).toEqual(['connected', 'Server shutdown']);
    const row = 'SELECT FROM broker_processes WHERE id = $1';
    expect(await suite.test.dataSource.query(row, [processId])).toEqual([]);
  });
});
