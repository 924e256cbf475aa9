import mqttPacket from 'mqtt-packet';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { brokerSuite } from '../../test/setup/broker.js';
import { makeFlow } from '../../test/make/flows.js';
import { requestedRuns } from '../../test/make/runs.js';
import { waitUntil } from '../../test/setup/until.js';

const suite = brokerSuite();
const { generate } = mqttPacket;
const attributes = [
  { name: 'temp', dataType: 'number' },
  { name: 'on', dataType: 'boolean' },
];

describe('A device that connects with a key', () => {
  it('reports states, which are stored when they are acknowledged', async () => {
    const { id } = await suite.makeDevice({ attributes });
    const device = await suite.connect(id);
    await device.publish(suite.topic(id, 'state'), { data: { temp: 21.5, on: 'true' } });
    expect(await suite.get(`/devices/${id}/compositeState`)).toMatchObject({
      temp: { value: 21.5 },
      on: { value: true },
    });
  });

  it('receives commands in order', async () => {
    const { id } = await suite.makeDevice();
    const device = await suite.connect(id);
    expect(await device.subscribe(suite.topic(id, 'command'))).toEqual([0]);
    const time = '2026-06-13T04:00:00.000Z';
    for (const name of ['a', 'b', 'c'])
      await suite.post(`/devices/${id}/command`, { name, payload: { temp: 69 }, time });
    expect((await device.texts(3)).map((text) => JSON.parse(text))).toEqual(
      ['a', 'b', 'c'].map((name) => ({ name, payload: { temp: 69 }, time: { $date: expect.any(String) } })),
    );
    expect(device.received[0]!.topic).toBe(suite.topic(id, 'command'));
  });

  it('does not receive commands that were sent while it was not connected', async () => {
    const { id } = await suite.makeDevice();
    await suite.post(`/devices/${id}/command`, { name: 'missed' });
    const device = await suite.connect(id);
    await device.subscribe(suite.topic(id, 'command'));
    await suite.post(`/devices/${id}/command`, { name: 'received' });
    expect((await device.texts(1)).map((text) => JSON.parse(text).name)).toEqual(['received']);
  });

  it('is disconnected if it is silent for one and a half times its keep-alive interval', async () => {
    const { id } = await suite.makeDevice();
    const { key, secret } = suite.key;
    const socket = createConnection(Number(new URL(suite.test.mqttUrl).port), '127.0.0.1');
    const credentials = { clientId: id, username: key, password: Buffer.from(secret) };
    socket.write(generate({ cmd: 'connect', clean: true, keepalive: 1, ...credentials }));
    await once(socket.resume(), 'close');
    await waitUntil(async () => (await suite.logOf(id)).at(-1)?.disconnectReason === 'Keepalive Timeout');
  });

  it('is connected until it disconnects, in its state and its log', async () => {
    const { id } = await suite.makeDevice({ attributes });
    const device = await suite.connect(id);
    await device.subscribe(suite.topic(id, 'command'));
    expect((await suite.get(`/devices/${id}`)).connectionInfo).toMatchObject({ connected: 1 });
    await device.publish(suite.topic(id, 'state'), { data: { temp: 1 } });
    await suite.post(`/devices/${id}/command`, { name: 'a' });
    await device.texts(1);
    await device.disconnect();
    await waitUntil(async () => (await suite.logOf(id)).length === 2);
    expect(await suite.logOf(id)).toEqual([
      { connected: 1, time: expect.any(String), ipAddress: '127.0.0.1' },
      {
        connected: 0,
        time: expect.any(String),
        ipAddress: '127.0.0.1',
        disconnectReason: 'Client disconnected',
        messagesFromClient: 1,
        messagesToClient: 1,
      },
    ]);
    expect((await suite.get(`/devices/${id}`)).connectionInfo).toMatchObject({ connected: 0 });
  });

  it('runs the workflows for connections and disconnections', async () => {
    const { id } = await suite.makeDevice({ tags: [{ key: 'site', value: 'north' }] });
    const listens = (type: string, key: string) =>
      makeFlow(suite.test, suite.user.token, suite.application.id, {
        triggers: [{ type, key, config: {}, outputIds: [] }],
      });
    const comes = await listens('deviceTagConnect', 'site/north');
    const goes = await listens('deviceIdDisconnect', id);
    const device = await suite.connect(id);
    device.break();
    await waitUntil(async () => (await requestedRuns(suite.test, { deviceId: id })).length === 2);
    const runs = await requestedRuns(suite.test, { deviceId: id });
    const facts = { address: '127.0.0.1', method: 'mqtt', secure: false };
    expect(runs.map(({ flowId, trigger: { data } }) => ({ flowId, data }))).toEqual([
      { flowId: comes.id, data: facts },
      {
        flowId: goes.id,
        data: {
          ...facts,
          connectedAt: expect.any(String),
          disconnectReason: 'Connection closed',
          messagesFromDevice: 0,
          messagesToDevice: 0,
        },
      },
    ]);
  });

  it('exchanges messages on custom topics with devices of its application', async () => {
    const [one, two] = await Promise.all([suite.makeDevice(), suite.makeDevice()]);
    const [sender, reader] = [await suite.connect(one.id), await suite.connect(two.id)];
    await reader.subscribe('pumps/+/level');
    await sender.publish('pumps/3/level', 'high');
    await sender.publish('pumps/4/level', '', 0);
    expect(await reader.texts(2)).toEqual(['high', '']);
  });
});
