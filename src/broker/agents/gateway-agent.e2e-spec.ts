import { gunzipSync } from 'node:zlib';
import { EventReader } from '../../../test/doubles/event-reader.js';
import type { MqttDevice } from '../../../test/doubles/mqtt-device.js';
import { TestDeployments } from '../../../test/make/deployments.js';
import { CUSTOM_NODE, executing, makeFlow } from '../../../test/make/flows.js';
import { brokerSuite } from '../../../test/setup/broker.js';
import { AgentSessions } from './agent-sessions.js';
import { waitUntil } from '../../../test/setup/until.js';

/** Requests go to the first process, and gateways connect to the second one. */
const suite = brokerSuite({}, 2);
const deployments = new TestDeployments(suite, 'edge');
const UNKNOWN = '0123456789abcdef01234567';

/** A gateway whose agent does what the test says. */
class Gateway {
  private constructor(
    readonly id: string,
    readonly mqtt: MqttDevice,
  ) {}

  static async connect(id: string): Promise<Gateway> {
    const gateway = new Gateway(id, await suite.connect(id, { at: suite.brokers[1] }));
    await gateway.mqtt.subscribe(suite.topic(id, 'toAgent/#'));
    return gateway;
  }

  hello(body: object = {}): Promise<void> {
    return this.say('hello', { service: 'gatewayEdgeAgent', version: '1.39.0', flows: {}, ...body });
  }

  say(name: string, message: unknown): Promise<void> {
    return this.mqtt.publish(suite.topic(this.id, `fromAgent/${name}`), message);
  }

  /** Takes the next message on a topic. */
  async next(name: string, unpack = (bytes: Buffer) => bytes): Promise<any> {
    const topic = suite.topic(this.id, `toAgent/${name}`);
    const at = () => this.mqtt.received.findIndex((message) => message.topic === topic);
    await waitUntil(async () => at() >= 0);
    const [message] = this.mqtt.received.splice(at(), 1);
    return JSON.parse(unpack(message!.payload).toString());
  }

  /** Takes a workflow that is sent, and says that it runs. */
  async run(): Promise<any> {
    return (await this.runAll())[0];
  }

  /** Takes the workflows that are sent together, and says that they run. */
  async runAll(): Promise<any[]> {
    const { set } = await this.next('flows');
    const running = set.map(({ flowId, flowVersion: version, etag }: any) => ({ flowId, version, etag }));
    await this.say('flows', running);
    return set;
  }
}

const deploymentOf = async (id: string) => (await deployments.of({ id }))[0];
const patch = (path: string, body: unknown) =>
  suite.test.client.patch(`${suite.path}${path}`, body, { token: suite.user.token });

it('a gateway receives, replaces and removes workflows, and deployments follow what it says', async () => {
  const device = await deployments.device();
  const flow = await deployments.flow(['1.0.0']);
  await deployments.release(flow, '1.0.0', device);
  const gateway = await Gateway.connect(device.id);
  await gateway.hello();
  const first = await gateway.run();
  expect(first).toEqual({
    flowId: flow.id,
    flowName: flow.name,
    flowVersion: '1.0.0',
    etag: (await deploymentOf(device.id)).desiredEtag,
    flowClass: 'edge',
    enabled: true,
    minimumAgentVersion: '1.0.0',
    triggers: expect.any(Array),
    nodes: expect.any(Array),
    globals: expect.any(Array),
    customNodeConfig: null,
  });
  await waitUntil(async () => (await deploymentOf(device.id)).currentVersion === '1.0.0');
  expect((await suite.get(`/devices/${device.id}`)).edgeAgentVersion).toBe('1.39.0');

  // Each save of the development version is a new content.
  await deployments.release(flow, 'develop', device);
  const saved = await gateway.run();
  await patch(`/flows/${flow.id}`, { globals: [{ key: 'limit', json: '7' }] });
  await deployments.work();
  const { set } = await gateway.next('flows');
  expect(set[0]).toMatchObject({ flowVersion: 'develop', globals: [{ key: 'limit', json: '7' }] });
  expect(set[0].etag).not.toBe(saved.etag);

  // A workflow that it cannot run is logged, and sent again when it connects again.
  const error = 'The workflow requires agent 9.0.0 or later';
  await gateway.say('flows', [{ flowId: flow.id, version: 'develop', etag: set[0].etag, error }]);
  await waitUntil(async () => (await deploymentOf(device.id)).logs[0].error !== undefined);
  const failed = await deploymentOf(device.id);
  expect(failed).toMatchObject({ currentVersion: 'develop', currentEtag: saved.etag });
  expect(failed.logs[0]).toMatchObject({ attemptedValue: 'develop', attemptedEtag: set[0].etag, error });
  const flows = { [flow.id]: { version: 'develop', etag: saved.etag } };
  await gateway.hello({ flows });
  await deployments.release(await deployments.flow(), 'develop', device);
  expect((await gateway.run()).flowId).not.toBe(flow.id);
  const again = await Gateway.connect(device.id);
  await again.hello({ flows });
  expect((await again.next('flows')).set).toMatchObject([{ flowId: flow.id }, {}]);

  await deployments.act('remove', { flowId: flow.id, deviceId: device.id });
  expect(await again.next('flows')).toEqual({ set: [], remove: [flow.id] });
  await again.say('flows', { flowId: flow.id, version: null });
  await waitUntil(async () => !(await deploymentOf(device.id)).currentVersion);
});

it('a custom node is removed in one change with the workflow that executed it, never before', async () => {
  const device = await deployments.device();
  const agent = { minimumAgentVersion: '1.41.0' };
  const node = await deployments.flow([], { ...CUSTOM_NODE, ...agent, customNodeSupports: ['edge'] });
  const nodes = [{ ...executing(node.id), id: 'a' }];
  const flow = await deployments.flow([], { ...agent, nodes });
  await deployments.release(flow, 'develop', device);
  const gateway = await Gateway.connect(device.id);
  await gateway.hello({ version: '1.41.0' });
  const ids = (await gateway.runAll()).map(({ flowId }) => flowId);
  expect(ids.sort()).toEqual([flow.id, node.id].sort());
  await waitUntil(async () => (await deployments.of(device)).every(({ currentVersion }) => currentVersion));
  await patch(`/flows/${flow.id}`, { nodes: [] });
  await deployments.work();
  expect(await gateway.next('flows')).toMatchObject({
    set: [{ flowId: flow.id, nodes: [] }],
    remove: [node.id],
  });
});

it('workflows that the platform does not know are removed, and those of files are not', async () => {
  const device = await deployments.device();
  const gateway = await Gateway.connect(device.id);
  const running = { version: '1', etag: 'a' };
  const file = 'f'.repeat(24);
  await gateway.hello({ flows: { [UNKNOWN]: running, [file]: { ...running, fileName: 'pump.flow' } } });
  expect(await gateway.next('flows')).toEqual({ set: [], remove: [UNKNOWN] });
  // A deleted workflow is removed, and then its deployment as well.
  const flow = await deployments.flow(['1']);
  await deployments.release(flow, '1', device);
  await gateway.run();
  await waitUntil(async () => (await deploymentOf(device.id)).currentVersion === '1');
  await suite.test.client.delete(`${suite.path}/flows/${flow.id}`, { token: suite.user.token });
  await deployments.work();
  expect(await gateway.next('flows')).toEqual({ set: [], remove: [flow.id] });
  await gateway.say('flows', { flowId: flow.id });
  await waitUntil(async () => (await deployments.of(device)).length === 0);
});

it('a gateway receives its facts once, and again when they have changed, without a new deployment', async () => {
  const globals = [
    { key: 'site', json: '"north"' },
    { key: 'secret', json: '"s3cret"', cloudOnly: true },
  ];
  await patch('/globals', globals);
  const device = await deployments.device({ tags: [{ key: 'line', value: '4' }] });
  const [own, floating] = await Promise.all([
    suite.makeDevice({ name: 'Pump', deviceClass: 'peripheral', gatewayId: device.id }),
    suite.makeDevice({ name: 'Badge', deviceClass: 'floating' }),
  ]);
  const gateway = await Gateway.connect(device.id);
  await gateway.hello({ gzip: true });
  const sync = await gateway.next('sync', gunzipSync);
  expect(sync).toMatchObject({
    application: { id: suite.application.id, globals: [{ key: 'site', json: '"north"' }] },
    device: { id: device.id, tags: [{ key: 'line', value: '4' }], attributes: [] },
    peripherals: [
      { id: own.id, name: 'Pump' },
      { id: floating.id, name: 'Badge' },
    ],
  });
  expect(JSON.stringify(sync)).not.toContain('s3cret');
  const { globalsEtag, deviceEtag, peripheralsEtag } = sync;
  const flow = await deployments.flow();
  await deployments.release(flow, 'develop', device);
  const { etag } = (await gateway.next('flows', gunzipSync)).set[0];
  const flows = { [flow.id]: { version: 'develop', etag } };
  await gateway.hello({ flows, globalsEtag, deviceEtag, peripheralsEtag });
  await waitUntil(async () => (await deploymentOf(device.id)).currentEtag === etag);
  await patch('/globals', [{ key: 'site', json: '"south"' }]);
  await deployments.work();
  const changed = await gateway.next('sync');
  expect(Object.keys(changed)).toEqual(['application', 'globalsEtag']);
  expect(changed.application.globals).toEqual([{ key: 'site', json: '"south"' }]);
  expect(gateway.mqtt.received).toEqual([]);
  expect((await deploymentOf(device.id)).desiredEtag).toBe(etag);

  await patch(`/devices/${own.id}`, { name: 'Pump 2' });
  // Otherwise this runs at intervals.
  await suite.brokers[1]!.app.get(AgentSessions, { strict: false })['runBatch']();
  const renamed = await gateway.next('sync');
  expect(Object.keys(renamed)).toEqual(['peripherals', 'peripheralsEtag']);
  expect(renamed.peripherals[0]).toMatchObject({ id: own.id, name: 'Pump 2' });
});

it('a gateway is asked for debug messages while somebody watches the workflow', async () => {
  const device = await deployments.device();
  const flow = await deployments.flow();
  await deployments.release(flow, 'develop', device);
  const gateway = await Gateway.connect(device.id);
  await gateway.hello();
  await gateway.run();
  const stream = await EventReader.open(
    `${suite.test.client.url}${suite.path}/flows/${flow.id}/debugStream`,
    suite.user.token,
  );
  const { until, ...request } = await gateway.next('debug');
  expect(request).toEqual({ flowId: flow.id, level: 'verbose' });
  expect(Date.parse(until)).toBeGreaterThan(Date.now());
  await gateway.say('debug', [{ flowId: flow.id, message: 'Hot', sourceNode: 'n1' }]);
  await waitUntil(async () => stream.events.length > 0);
  expect(stream.events[0]).toMatchObject({ data: { message: 'Hot', deviceId: device.id } });
  stream.close();
});

it('runs that a gateway counts appear in statistics, the log and the errors of the workflow', async () => {
  const device = await deployments.device();
  const [flow, cloud] = [
    await deployments.flow(['1']),
    await makeFlow(suite.test, suite.user.token, suite.application.id),
  ];
  const gateway = await Gateway.connect(device.id);
  const counts = { runCount: 5, errorCount: 2, pathsCompleted: 6, pathsFailed: 2, wallTime: 12.5 };
  await gateway.say('metrics', [
    { flowId: flow.id, flowVersion: '1', ...counts },
    { flowId: flow.id, flowVersion: 'develop', runCount: 1 },
    { flowId: flow.id, flowVersion: '2', ...counts },
    { flowId: cloud.id, flowVersion: 'develop', ...counts },
    { flowId: UNKNOWN, flowVersion: 'develop', ...counts },
    { flowId: 'from-a-file', flowVersion: 'develop', ...counts },
  ]);
  const time = new Date().toISOString();
  const error = { name: 'TypeError', message: 'Too hot' };
  await gateway.say('errors', [{ flowId: flow.id, flowVersion: '1', time, nodeId: 'n1', error }]);
  const statsOf = async (id: string, query: string) =>
    (await suite.get(`/flows/${id}/stats?end=${Date.now() + 60_000}&${query}`)).metrics.filter(
      ({ runCount }: any) => runCount > 0,
    );
  const all = { runCount: 6, pathsCompleted: 6, pathsFailed: 2, wallTime: 13 };
  expect(await statsOf(flow.id, '')).toEqual([{ time: expect.any(String), ...all }]);
  expect(await statsOf(flow.id, `deviceId=${device.id}`)).toEqual([{ time: expect.any(String), ...all }]);
  expect(await statsOf(flow.id, 'flowVersion=develop')).toMatchObject([{ runCount: 1, pathsFailed: 0 }]);
  expect(await statsOf(cloud.id, '')).toEqual([]);
  const { errors } = await suite.get(`/flows/${flow.id}/errors?deviceId=${device.id}`);
  expect(errors).toMatchObject([{ time, nodeId: 'n1', error, flowVersion: '1', deviceId: device.id }]);
  const log = await suite.get(`/flows/${flow.id}/logs?limit=10`);
  expect(log.map(({ runCount, errors }: any) => [runCount, errors.length]).sort()).toEqual([
    [0, 1],
    [1, 0],
    [5, 0],
  ]);
  // They are no runs with details.
  expect((await suite.get(`/flows/${flow.id}/runs`)).items).toEqual([]);
});

it('a reason why a workflow does not run is stored, also if a hello follows at once', async () => {
  const device = await deployments.device();
  const flow = await deployments.flow(['1']);
  await deployments.release(flow, '1', device);
  const gateway = await Gateway.connect(device.id);
  await gateway.hello();
  const { etag } = (await gateway.next('flows')).set[0];
  const error = 'The workflow has an unknown node';
  const failed = { flowId: flow.id, version: '1', etag, error };
  await Promise.all([gateway.hello(), gateway.say('flows', failed), gateway.hello()]);
  await waitUntil(async () => (await deploymentOf(device.id)).logs[0].error === error);
});

it('large workflows are split into messages', async () => {
  const device = await deployments.device();
  const globals = [{ key: 'text', json: JSON.stringify('x'.repeat(30_000)) }];
  const released = await Promise.all(Array.from({ length: 8 }, () => deployments.flow([], { globals })));
  for (const flow of released) await deployments.release(flow, 'develop', device);
  const gateway = await Gateway.connect(device.id);
  await gateway.hello();
  const sets = [await gateway.next('flows'), await gateway.next('flows')].map(({ set }) => set);
  expect(sets.map(({ length }) => length)).toEqual([6, 2]);
  expect(sets.flat().map(({ flowId }: any) => flowId)).toEqual(released.map(({ id }) => id).sort());
});

it('workflows that are larger than a client may leave unread are sent one after the other', async () => {
  const device = await deployments.device();
  const globals = Array.from({ length: 30 }, (_, n) => ({
    key: `text${n}`,
    json: JSON.stringify('x'.repeat(30_000)),
  }));
  const released = [];
  for (let n = 0; n < 5; n++) released.push(await deployments.flow([], { globals }));
  for (const flow of released) await deployments.release(flow, 'develop', device);
  const gateway = await Gateway.connect(device.id);
  await gateway.hello();
  const received: string[] = [];
  while (received.length < released.length && !gateway.mqtt.isClosed)
    received.push((await gateway.next('flows')).set[0].flowId);
  expect(received).toEqual(released.map(({ id }) => id).sort());
  expect(gateway.mqtt.isClosed).toBe(false);
}, 60_000);

it('faulty messages are shown in debug streams, and the gateway stays connected', async () => {
  const device = await deployments.device();
  const gateway = await Gateway.connect(device.id);
  const stream = await EventReader.open(
    `${suite.test.client.url}${suite.path}/devices/${device.id}/debugStream`,
    suite.user.token,
  );
  await gateway.hello({ service: 'embeddedWorkflowAgent' });
  await gateway.hello({ version: 'new' });
  await gateway.hello({ flows: { a: { version: 1 } } });
  await gateway.say('flows', [{ flowId: 'x' }]);
  await gateway.say('flows', '{');
  await gateway.say('metrics', [{ flowId: UNKNOWN, flowVersion: '1', runCount: -1 }]);
  await gateway.say('errors', { flowId: UNKNOWN, flowVersion: '1', time: 'now', error: {} });
  await gateway.say('other', 'ignored');
  await waitUntil(async () => stream.events.length >= 7);
  expect(stream.events.map(({ data }: any) => data.message)).toEqual([
    expect.stringContaining('hello.service'),
    expect.stringContaining('hello.version'),
    expect.stringContaining('hello.flows.a'),
    expect.stringContaining('flows.0.flowId'),
    'The message is not valid JSON',
    expect.stringContaining('metrics.0.runCount'),
    expect.stringContaining('errors.0.'),
  ]);
  expect(gateway.mqtt.isClosed).toBe(false);
  stream.close();
});
