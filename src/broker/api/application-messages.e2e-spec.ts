import { EventReader } from '../../../test/doubles/event-reader.js';
import { scopedToken } from '../../../test/make/api-tokens.js';
import { makeFlow } from '../../../test/make/flows.js';
import { makeApplication, makeMember, makeOrg, tokenOf } from '../../../test/make/make.js';
import { makeDevice } from '../../../test/make/device-tokens.js';
import { requestedRuns } from '../../../test/make/runs.js';
import { brokerSuite } from '../../../test/setup/broker.js';
import { waitUntil } from '../../../test/setup/until.js';
import { newId } from '../../platform/repositories/resource.js';

const suite = brokerSuite();
const open: EventReader[] = [];
afterEach(() => {
  for (const reader of open.splice(0)) reader.close();
});

const publish = (topic: unknown, message: unknown, token = suite.user.token, path = suite.path) =>
  suite.test.client.post(`${path}/mqttPublishMessage`, { topic, message }, { token });

async function listen(topic: string, token = suite.user.token, path = suite.path): Promise<EventReader> {
  const url = `${suite.test.client.url}${path}/mqttSubscriptionStream?topic=${encodeURIComponent(topic)}`;
  const reader = await EventReader.open(url, token);
  open.push(reader);
  return reader;
}

const flowWith = (body: object) => makeFlow(suite.test, suite.user.token, suite.application.id, body);
const triggeredBy = (...keys: string[]) =>
  flowWith({ triggers: keys.map((key) => ({ type: 'mqttTopic', key, config: {}, outputIds: [] })) });
const runsOf = async ({ id }: { id: string }) =>
  (await requestedRuns(suite.test, { flowId: id })).map(({ trigger, deviceId }) => ({
    ...trigger,
    deviceId,
  }));

describe('application.mqttPublishMessage', () => {
  it('sends a message to devices, streams and workflows of the application', async () => {
    const device = await suite.connect((await suite.makeDevice()).id);
    await device.subscribe('pumps/#');
    const stream = await listen('pumps/+/level');
    const flow = await triggeredBy('pumps/3/level');
    const { status, body } = await publish('pumps/3/level', 'höher');
    expect([status, body]).toEqual([200, { success: true }]);
    expect(await device.texts(1)).toEqual(['höher']);
    expect((await stream.reads(1))[0]).toMatchObject({
      event: 'mqttMessage',
      data: { topic: 'pumps/3/level', message: 'höher', time: expect.any(Number) },
    });
    await waitUntil(async () => (await runsOf(flow)).length === 1);
    expect(await runsOf(flow)).toMatchObject([
      {
        type: 'mqttTopic',
        key: 'pumps/3/level',
        data: 'höher',
        sourceId: suite.user.id,
        sourceType: 'user',
      },
    ]);
  });

  it('succeeds if nobody receives the message, which may be empty', async () => {
    expect((await publish('a', '')).body).toEqual({ success: true });
  });

  it.each([
    ['', 'x', 'payload.topic'],
    ['a/+', 'x', 'payload.topic'],
    ['#', 'x', 'payload.topic'],
    ['$SYS/a', 'x', 'payload.topic'],
    ['fieldwright/x', 'x', 'payload.topic'],
    ['fieldwright', 'x', 'payload.topic'],
    ['a'.repeat(231), 'x', 'payload.topic'],
    ['a', 'x'.repeat(32_768), 'payload.message'],
    ['a', 7, 'payload.message'],
    [undefined, 'x', 'payload.topic'],
  ])('returns 400 for the topic %.20j and the message %.20j', async (topic, message, named) => {
    const { status, body } = await publish(topic, message);
    expect([status, body]).toEqual([400, { type: 'Validation', message: expect.stringContaining(named) }]);
  });

  it('requires a scope, and the role collaborate', async () => {
    const org = await makeOrg(suite.test, suite.user.token);
    const { id } = await makeApplication(suite.test, suite.user.token, { orgId: org.id });
    const path = `/applications/${id}`;
    const statuses = await Promise.all(
      (['none', 'view', 'collaborate'] as const).map(async (role) => {
        const { token } = await makeMember(suite.test, org.id, role);
        return (await publish('a', 'x', token, path)).status;
      }),
    );
    expect(statuses).toEqual([404, 403, 200]);
    const scoped = await Promise.all(
      ['application.mqttPublishMessage', 'application.*', 'application.get', 'all.User.read'].map(
        async (scope) => (await publish('a', 'x', tokenOf(suite.test, suite.user.id, [scope]))).status,
      ),
    );
    expect(scoped).toEqual([200, 200, 403, 403]);
    expect((await publish('a', 'x', '')).status).toBe(401);
    expect((await publish('a', 'x', suite.user.token, `/applications/${newId()}`)).status).toBe(404);
  });
});

describe('application.mqttSubscriptionStream', () => {
  it('sends reports and commands of a device', async () => {
    const { id } = await suite.makeDevice({ attributes: [{ name: 'temp', dataType: 'number' }] });
    const streams = await Promise.all(['state', 'command'].map((name) => listen(suite.topic(id, name))));
    const device = await suite.connect(id);
    await device.publish(suite.topic(id, 'state'), '{"data":{"temp":1}}');
    await suite.post(`/devices/${id}/command`, { name: 'open' });
    const received = await Promise.all(streams.map(async (stream) => (await stream.reads(1))[0]!.data));
    expect(received[0].message).toBe('{"data":{"temp":1}}');
    expect(JSON.parse(received[1].message)).toMatchObject({
      name: 'open',
      time: { $date: expect.any(String) },
    });
  });

  it.each([
    '',
    'a/#/b',
    '$SYS/#',
    'fieldwright/#',
    'fieldwright/+/state',
    `fieldwright/${newId()}/toAgent/x`,
  ])('returns 400 for the topic %j', async (topic) => {
    expect((await listen(topic)).status).toBe(400);
  });

  it('returns 404 for devices of other applications, and 403 without the scope', async () => {
    const elsewhere = await makeApplication(suite.test, suite.user.token);
    const foreign = await makeDevice(suite.test, suite.user.token, elsewhere.id);
    expect((await listen(suite.topic(foreign.id, 'state'))).status).toBe(404);
    const own = 'application.mqttSubscriptionStream';
    for (const [scope, status] of [
      [own, 200],
      ['application.get', 403],
    ] as const)
      expect((await listen('a', tokenOf(suite.test, suite.user.id, [scope]))).status).toBe(status);
  });

  it('ends when the caller loses access', async () => {
    const token = await scopedToken(suite.test, suite.user, ['application.*']);
    const stream = await listen('a', token);
    expect(stream.status).toBe(200);
    await suite.test.client.delete(suite.path, { token: suite.user.token });
    await stream.ends();
  });
});

describe('A workflow triggered by topics', () => {
  it('runs for messages of devices that match, once, with the topic and the sender', async () => {
    const [flow, other] = [await triggeredBy('a/+', 'a/#', 'a/b'), await triggeredBy('b/#')];
    const { id } = await suite.makeDevice();
    const device = await suite.connect(id);
    await device.publish('a/b', 'Ä\n');
    await device.publish('c', 'x');
    await device.publish('a/b', '{"x":1}', 0);
    await waitUntil(async () => (await runsOf(flow)).length === 2);
    const sender = { key: 'a/b', sourceId: id, sourceType: 'device', deviceId: id };
    expect(await runsOf(flow)).toMatchObject([
      { ...sender, data: 'Ä\n' },
      { ...sender, data: '{"x":1}' },
    ]);
    expect(await runsOf(other)).toEqual([]);
  });

  it('runs within a second after it was saved', async () => {
    const device = await suite.connect((await suite.makeDevice()).id);
    await device.publish('a', 'before');
    const flow = await triggeredBy('a');
    await waitUntil(async () => {
      await device.publish('a', 'after');
      return (await runsOf(flow)).length > 0;
    });
    expect((await runsOf(flow))[0]).toMatchObject({ data: 'after' });
  });
});

describe('Messages on custom topics', () => {
  it('are counted for the devices that send and receive them', async () => {
    const [one, two] = await Promise.all([suite.makeDevice(), suite.makeDevice()]);
    const [sender, reader] = [await suite.connect(one.id), await suite.connect(two.id)];
    await reader.subscribe('#');
    for (const n of [1, 2, 3]) await sender.publish(`a/${n}`, 'x');
    await publish('a', 'x');
    await reader.texts(4);
    const counted = async () => (await suite.get('?summaryInclude=payloadCount')).summary.payloadCount;
    await waitUntil(
      async () => 'mqttOut' in (await counted()) && 'user.rest' in ((await counted()).mqttIn ?? {}),
    );
    expect(await counted()).toMatchObject({
      mqttIn: { 'device.mqtt': 3, 'user.rest': 1 },
      mqttOut: { 'device.mqtt': 4 },
    });
  });
});
