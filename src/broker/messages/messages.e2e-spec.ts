import { EventReader } from '../../../test/doubles/event-reader.js';
import { makeApplication } from '../../../test/make/make.js';
import { makeDevice, makeKey } from '../../../test/make/device-tokens.js';
import { makeFlow } from '../../../test/make/flows.js';
import { requestedRuns } from '../../../test/make/runs.js';
import { brokerSuite } from '../../../test/setup/broker.js';
import { waitUntil } from '../../../test/setup/until.js';

const suite = brokerSuite();
const attributes = [{ name: 'temp', dataType: 'number' }];
const REFUSED = 128;

const valueOf = async (deviceId: string) =>
  (await suite.get(`/devices/${deviceId}/compositeState`)).temp?.value;
const reasonOf = async (deviceId: string) => {
  await waitUntil(async () => (await suite.logOf(deviceId)).at(-1)?.connected === 0);
  return (await suite.logOf(deviceId)).at(-1).disconnectReason;
};

describe('A report', () => {
  it.each([
    ['a number', 1_781_323_200_000, '2026-06-13T04:00:00.000Z'],
    ['an extended date', { $date: '2026-06-13T04:00:00.000Z' }, '2026-06-13T04:00:00.000Z'],
    ['nothing', undefined, undefined],
  ])('has the time of the client, sent as %s', async (_, time, expected) => {
    const { id } = await suite.makeDevice({ attributes });
    const device = await suite.connect(id);
    const before = Date.now();
    // A month before the times of this test would not be accepted.
    const shift = Date.now() - Date.parse('2026-06-14T04:00:00.000Z');
    const sent =
      typeof time === 'number'
        ? time + shift
        : time && { $date: new Date(Date.parse(time.$date) + shift).toISOString() };
    await device.publish(suite.topic(id, 'state'), { time: sent, data: { temp: 7 } });
    const { temp } = await suite.get(`/devices/${id}/compositeState`);
    expect(temp.value).toBe(7);
    if (expected) expect(Date.parse(temp.time) - shift).toBe(Date.parse(expected));
    else expect(Date.parse(temp.time)).toBeGreaterThanOrEqual(before);
  });

  it('with several states, and one with a fault, is acknowledged and leaves the client connected', async () => {
    const { id } = await suite.makeDevice({ attributes });
    const device = await suite.connect(id);
    const state = suite.topic(id, 'state');
    await device.publish(state, [{ data: { temp: 1 } }, { time: -1000, data: { temp: 2 } }]);
    for (const message of ['', '{', '[1]', '{"data":7}', '{"data":{"temp":"\\u0000"}}', Buffer.from([0xff])])
      await device.publish(state, message);
    await device.publish(state, { data: { temp: 'warm', other: 3 } });
    expect(await valueOf(id)).toBe(1);
    await device.publish(state, { data: { temp: '3' } });
    expect(await valueOf(id)).toBe(3);
    expect(device.isClosed).toBe(false);
  });

  it('that is not valid is shown in debug streams, and runs the workflows that accept such reports', async () => {
    const { id } = await suite.makeDevice({ attributes });
    const trigger = { type: 'deviceId', key: id, outputIds: [] };
    const [accepts, refuses] = await Promise.all(
      [{ allowInvalid: true, attributeBlacklist: ['x'] }, { attributeBlacklist: ['x'] }].map((config) =>
        makeFlow(suite.test, suite.user.token, suite.application.id, { triggers: [{ ...trigger, config }] }),
      ),
    );
    const url = `${suite.test.client.url}${suite.path}/debugStream`;
    const stream = await EventReader.open(url, suite.user.token);
    const device = await suite.connect(id);
    await device.publish(suite.topic(id, 'state'), '{"data":"a\0"}');
    expect((await stream.reads(1))[0]).toMatchObject({
      event: 'deviceError',
      data: {
        deviceId: id,
        topic: suite.topic(id, 'state'),
        message: 'The message is not valid JSON',
        time: expect.any(String),
      },
    });
    stream.close();
    expect(await requestedRuns(suite.test, { flowId: accepts!.id })).toMatchObject([
      { trigger: { sourceId: id, data: null, original: '{"data":"a\u{fffd}"}' } },
    ]);
    expect(await requestedRuns(suite.test, { flowId: refuses!.id })).toEqual([]);
  });

  it('is stored without replacing another one that arrives in the same millisecond', async () => {
    const { id } = await suite.makeDevice({ attributes });
    const device = await suite.connect(id);
    const sent = Array.from({ length: 50 }, (_, temp) => temp);
    await Promise.all(sent.map((temp) => device.publish(suite.topic(id, 'state'), { data: { temp } })));
    // Their times can be some milliseconds ahead.
    let states: any[] = [];
    const path = `/devices/${id}/state?limit=100&sortDirection=asc`;
    await waitUntil(async () => (states = await suite.get(path)).length >= sent.length);
    expect(states.map(({ data }) => data.temp)).toEqual(sent);
  });

  it('is counted as a payload, and runs workflows for the device', async () => {
    const { id } = await suite.makeDevice({ attributes });
    const flow = await makeFlow(suite.test, suite.user.token, suite.application.id, {
      triggers: [{ type: 'deviceId', key: id, config: {}, outputIds: [] }],
    });
    const device = await suite.connect(id);
    await device.publish(suite.topic(id, 'state'), { data: { temp: 7 }, meta: { at: { $date: 0 } } });
    const runs = await requestedRuns(suite.test, { flowId: flow.id });
    expect(runs).toMatchObject([
      { trigger: { sourceId: id, data: { temp: 7 }, meta: { at: '1970-01-01T00:00:00.000Z' } } },
    ]);
    const counts = await suite.get('?summaryInclude=payloadCount');
    expect(counts.summary?.payloadCount ?? counts.payloadCount).toMatchObject({
      deviceState: { 'device.mqtt': 1 },
      deviceConnect: { 'device.mqtt': 1 },
    });
  });

  it('reaches subscribers as it was sent, and those of reports over HTTP as JSON', async () => {
    const [one, two] = await Promise.all([suite.makeDevice({ attributes }), suite.makeDevice()]);
    const reader = await suite.connect(two.id);
    const topic = suite.topic(one.id, 'state');
    expect(await reader.subscribe(topic)).toEqual([0]);
    const device = await suite.connect(one.id);
    const sent = '{"data": {"temp": 1, "x": 2}}';
    await device.publish(topic, sent);
    await suite.post(`/devices/${one.id}/state`, { data: { temp: 2 }, time: Date.now() });
    await suite.post(`/devices/${one.id}/state`, [{ data: { temp: 3 } }, { data: { temp: 4 } }]);
    const [first, ...others] = await reader.texts(3);
    expect(first).toBe(sent);
    expect(others.map((text) => JSON.parse(text))).toEqual([
      { time: { $date: expect.any(String) }, data: { temp: 2 } },
      [3, 4].map((temp) => ({ time: { $date: expect.any(String) }, data: { temp } })),
    ]);
  });
});

describe('A gateway', () => {
  it('reports for its own peripherals and for floating ones, and receives their commands', async () => {
    const gateway = await suite.makeDevice({ deviceClass: 'gateway' });
    const peripherals = await Promise.all([
      suite.makeDevice({ attributes, deviceClass: 'peripheral', gatewayId: gateway.id }),
      suite.makeDevice({ attributes, deviceClass: 'floating' }),
    ]);
    const flow = await makeFlow(suite.test, suite.user.token, suite.application.id, {
      triggers: peripherals.map(({ id }) => ({ type: 'deviceId', key: id, config: {}, outputIds: [] })),
    });
    // The key covers the gateway only.
    const key = await suite.makeKey({ deviceIds: [gateway.id] });
    const client = await suite.connect(gateway.id, { key });
    for (const [n, { id }] of peripherals.entries()) {
      await client.publish(suite.topic(id, 'state'), { data: { temp: n } });
      expect(await valueOf(id)).toBe(n);
      expect(await client.subscribe(suite.topic(id, 'command'))).toEqual([0]);
      await suite.post(`/devices/${id}/command`, { name: 'open' });
    }
    await client.texts(2);
    expect(client.received.map(({ topic }) => topic)).toEqual(
      peripherals.map(({ id }) => suite.topic(id, 'command')),
    );
    const runs = await requestedRuns(suite.test, { flowId: flow.id });
    expect(runs.map(({ trigger }) => trigger.sourceId)).toEqual([gateway.id, gateway.id]);
  });

  it('is cut off if it reports for a device that is not its peripheral, or not any more', async () => {
    const [gateway, other] = await Promise.all([
      suite.makeDevice({ deviceClass: 'gateway' }),
      suite.makeDevice({ deviceClass: 'gateway' }),
    ]);
    const { id } = await suite.makeDevice({ attributes, deviceClass: 'peripheral', gatewayId: gateway.id });
    const topic = suite.topic(id, 'state');
    const client = await suite.connect(gateway.id);
    await client.publish(topic, { data: { temp: 1 } });
    const token = suite.user.token;
    await suite.test.client.patch(`${suite.path}/devices/${id}`, { gatewayId: other.id }, { token });
    client.client.publish(topic, '{"data":{"temp":2}}', { qos: 1 });
    await client.ends();
    expect(await reasonOf(gateway.id)).toBe(`Publish Error - Not allowed to publish to ${topic}`);
    expect(await valueOf(id)).toBe(1);
  });
});

describe('A client', () => {
  it.each([
    ['the agent of another class', (id: string) => suite.topic(id, 'fromAgent/hello')],
    ['commands', (id: string) => suite.topic(id, 'command')],
    ['the broker', () => '$SYS/x'],
  ])('that publishes on a topic of %s is cut off', async (_, topicOf) => {
    const { id } = await suite.makeDevice();
    const device = await suite.connect(id);
    device.client.publish(topicOf(id), 'x');
    await device.ends();
    expect(await reasonOf(id)).toBe(`Publish Error - Not allowed to publish to ${topicOf(id)}`);
  });

  it('may not report for other devices of its key, but subscribe to them', async () => {
    const [one, two, third] = await Promise.all([1, 2, 3].map(() => suite.makeDevice({ attributes })));
    const key = await suite.makeKey({ deviceIds: [one!.id, two!.id] });
    const device = await suite.connect(one!.id, { key });
    const granted = await device.subscribe(
      ...[one!, two!, third!].flatMap(({ id }) => [suite.topic(id, 'state'), suite.topic(id, 'command')]),
    );
    expect(granted).toEqual([0, 0, 0, 0, REFUSED, REFUSED]);
    await suite.post(`/devices/${two!.id}/command`, { name: 'a' });
    await device.texts(1);
    device.client.publish(suite.topic(two!.id, 'state'), '{"data":{"temp":2}}');
    await device.ends();
    expect(await reasonOf(one!.id)).toMatch(/^Publish Error/);
  });

  it('is granted QoS 0, and refused filters without those of the same packet', async () => {
    const key = await suite.makeKey({ filterType: 'whitelist', subTopics: ['a/#'], pubTopics: ['a/b'] });
    const { id } = await suite.makeDevice();
    const device = await suite.connect(id, { key });
    const filters = ['a/+', 'b', '#', suite.topic(id, 'command'), `fieldwright/#`];
    const codes = await new Promise((resolve) => {
      device.client.subscribe(filters, { qos: 2 }, (_error, _granted, packet) => resolve(packet?.granted));
    });
    expect(codes).toEqual([0, REFUSED, REFUSED, 0, REFUSED]);
    await device.publish('a/b', 'x');
    expect(await device.texts(1)).toEqual(['x']);
    device.client.publish('a/c', 'x');
    await device.ends();
  });

  it('receives retained messages as ordinary ones, and no message of QoS 2', async () => {
    const { id } = await suite.makeDevice();
    const device = await suite.connect(id);
    await device.subscribe('a');
    await device.client.publishAsync('a', 'kept', { retain: true, qos: 1 });
    await device.texts(1);
    const later = await suite.connect((await suite.makeDevice()).id);
    const packets: { retain: boolean }[] = [];
    device.client.on('packetreceive', (packet) => {
      if (packet.cmd === 'publish') packets.push(packet);
    });
    await later.subscribe('a');
    await later.client.publishAsync('a', 'again', { retain: true });
    await device.texts(2);
    expect(packets).toMatchObject([{ retain: false }]);
    expect(await later.texts(1)).toEqual(['again']);
    device.client.publish('a', 'x', { qos: 2 });
    await device.ends();
    expect(await reasonOf(id)).toBe('QoS 2 is not supported');
  });

  it('can send 256 KiB, and is cut off if it sends more', async () => {
    const { id } = await suite.makeDevice();
    const device = await suite.connect(id);
    await device.subscribe('a');
    const message = 'x'.repeat(256 * 1024);
    await device.publish('a', message);
    expect(await device.texts(1)).toEqual([message]);
    device.client.publish('a', `${message}x`);
    await device.ends();
    expect(await reasonOf(id)).toBe('Message too large');
  });

  it('receives nothing of its application on topics of the platform, nor of other applications', async () => {
    const elsewhere = await makeApplication(suite.test, suite.user.token);
    const [foreign, foreignKey] = await Promise.all([
      makeDevice(suite.test, suite.user.token, elsewhere.id, { attributes }),
      makeKey(suite.test, suite.user.token, elsewhere.id, { filterType: 'all' }),
    ]);
    const { id } = await suite.makeDevice({ attributes });
    const device = await suite.connect(id);
    expect(await device.subscribe('#', '+/+', '+/+/+', '/#')).toEqual([0, 0, 0, 0]);
    expect(await device.subscribe(suite.topic(foreign.id, 'state'))).toEqual([REFUSED]);
    const other = await suite.connect(foreign.id, { key: foreignKey });
    await other.publish('a/b', 'foreign');
    await other.publish(suite.topic(foreign.id, 'state'), { data: { temp: 1 } });
    await device.publish(suite.topic(id, 'state'), { data: { temp: 1 } });
    await suite.post(`/devices/${id}/command`, { name: 'a' });
    await device.publish('a/b', 'own');
    expect(await device.texts(1)).toEqual(['own']);
  });

  it('receives a message once, also if several of its filters match', async () => {
    const device = await suite.connect((await suite.makeDevice()).id);
    await device.subscribe('a/b', 'a/+', '#');
    await device.publish('a/b', '1');
    await device.client.unsubscribeAsync(['#', 'a/+']);
    await device.publish('a/b', '2');
    await device.publish('a/c', '3');
    await device.publish('a/b', '4');
    expect(await device.texts(3)).toEqual(['1', '2', '4']);
  });
});
