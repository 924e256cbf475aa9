import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { gunzipSync } from 'node:zlib';
import { EventReader } from '../../../test/doubles/event-reader.js';
import type { MqttDevice } from '../../../test/doubles/mqtt-device.js';
import { TestDeployments } from '../../../test/make/deployments.js';
import { makeFlow } from '../../../test/make/flows.js';
import { makeApplication } from '../../../test/make/make.js';
import { brokerSuite } from '../../../test/setup/broker.js';
import { waitUntil } from '../../../test/setup/until.js';
import { Host } from '../../../test/suites/embedded/host.js';

// Compilation takes seconds, or minutes on a busy machine.
jest.setTimeout(300_000);
const env = { PROCESS_ROLE: 'api,broker,worker', COMPILE_TIMEOUT: '600' };
/** Requests go to the first process, and devices connect to the second one. */
const suite = brokerSuite(env, 2);
const deployments = new TestDeployments(suite, 'embedded');

const report = (valueTemplate: string) => ({
  type: 'DeviceChangeStateNode',
  config: { attrDataMethod: 'individualFields', attrInfos: [{ key: 'temp', valueTemplate }] },
});
const GRAPH = {
  triggers: [
    { type: 'virtualButton', key: 'set', outputIds: [['report', 'say']] },
    { type: 'deviceCommand', key: 'deviceCommand', outputIds: [['tell']] },
  ],
  nodes: [
    { id: 'report', ...report('{{data.temp}}'), outputIds: [[]] },
    { id: 'say', type: 'DebugNode', config: { message: 'Set' }, outputIds: [[]] },
    { id: 'tell', ...report('{{data.payload.temp}}'), outputIds: [[]] },
  ],
};
const OPTIONS = { exportMemory: true };

/** A device with a host that loads the modules it receives and passes messages, as firmware does. */
class Firmware {
  host?: Host;
  bundle = 'nullVersion';
  modules = 0;

  constructor(
    readonly id: string,
    readonly mqtt: MqttDevice,
    private readonly options: object = OPTIONS,
  ) {}

  topic(name: string): string {
    return suite.topic(this.id, name);
  }

  hello(body: object = {}): Promise<void> {
    const message = { service: 'embeddedWorkflowAgent', version: '1.0.0', bundle: this.bundle, ...body };
    return this.mqtt.publish(this.topic('fromAgent/hello'), { compilerOptions: this.options, ...message });
  }

  /** Loads the next module, and says hello again. */
  async load(unpack = (bytes: Buffer) => bytes): Promise<void> {
    const flows = this.topic('toAgent/flows');
    const received = () => this.mqtt.received.filter(({ topic }) => topic === flows);
    await waitUntil(async () => received().length > this.modules, 240_000);
    this.host = Host.started(unpack(received()[this.modules++]!.payload), { deviceId: this.id });
    this.host.time = Date.now();
    const at = (name: string) => (this.host!.exports[name] as unknown as WebAssembly.Global).value;
    const length = this.host.bytes(at('BUNDLE_IDENTIFIER_LENGTH'), 1).readUInt8();
    this.bundle = this.host.text(at('BUNDLE_IDENTIFIER'), length);
    await this.hello();
  }

  /** Passes the next message on a topic to the module, and publishes what the module sends. */
  async pass(name: string): Promise<void> {
    const isNext = ({ topic }: { topic: string }) => topic === this.topic(name);
    await waitUntil(async () => this.mqtt.received.some(isNext));
    const [message] = this.mqtt.received.splice(this.mqtt.received.findIndex(isNext), 1);
    this.host!.receive(message!.topic, message!.payload);
    this.host!.settle();
    for (const { topic, payload } of this.host!.sent.splice(0)) await this.mqtt.publish(topic, payload);
  }
}

const release = (device: { id: string }, ...versions: string[]): Promise<any> =>
  deployments.releaseNew(device, GRAPH, ...versions);

const attributes = [{ name: 'temp', dataType: 'number' }];
const connect = async (id: string, options?: object) =>
  new Firmware(id, await suite.connect(id, { at: suite.brokers[1] }), options);
const deploymentOf = async (id: string) => (await deployments.of({ id }))[0];
const isUpToDate = async ({ id, bundle }: Firmware) => {
  const { currentBundleVersion, desiredBundleVersion } = await deploymentOf(id);
  return currentBundleVersion === bundle && desiredBundleVersion === bundle;
};
const press = (flow: { id: string }, body: object) => suite.post(`/flows/${flow.id}/virtualButton`, body);

it('a device receives its module, runs it, and receives the next one when another version is released', async () => {
  const device = await deployments.device({ attributes });
  const flow = await release(device, '1.0.0', '2.0.0');
  const firmware = await connect(device.id);
  await firmware.mqtt.subscribe(firmware.topic('toAgent/#'), firmware.topic('command'));
  await firmware.hello();
  await firmware.load();
  await waitUntil(() => isUpToDate(firmware));
  expect((await deploymentOf(device.id)).flows[flow.id].currentVersion).toBe('1.0.0');

  const streams = await Promise.all(
    [`/flows/${flow.id}`, `/devices/${device.id}`, ''].map((path) =>
      EventReader.open(`${suite.test.client.url}${suite.path}${path}/debugStream`, suite.user.token),
    ),
  );
  // Brokers learn within a moment that somebody watches.
  await waitUntil(async () => {
    expect((await press(flow, { key: 'set', payload: { temp: 21 }, deviceId: device.id })).status).toBe(200);
    await firmware.pass('toAgent/virtualButton');
    return streams.every(({ events }) => events.length > 0);
  });
  for (const stream of streams) {
    expect(stream.events[0]).toMatchObject({
      event: 'debugMessage',
      data: { flowId: flow.id, flowVersion: '1.0.0', deviceId: device.id, message: 'Set', level: 'info' },
    });
    stream.close();
  }
  const state = () => suite.get(`/devices/${device.id}/compositeState`);
  expect((await state()).temp.value).toBe(21);

  await suite.post(`/devices/${device.id}/command`, { name: 'set', payload: { temp: 22 } });
  await firmware.pass('command');
  expect((await state()).temp.value).toBe(22);

  await deployments.release(flow, '2.0.0', device);
  await firmware.load();
  await waitUntil(() => isUpToDate(firmware));
  expect((await deploymentOf(device.id)).flows[flow.id].currentVersion).toBe('2.0.0');

  // Without a workflow, the device receives a module that does nothing.
  await deployments.act('remove', { flowId: flow.id, deviceId: device.id });
  await firmware.load();
  expect(firmware.bundle).toBe('nullVersion');
  await waitUntil(() => isUpToDate(firmware));
  expect(firmware.modules).toBe(3);
});

it('the documented host gets its modules and runs them', async () => {
  const device = await deployments.device({ attributes });
  const flow = await release(device, '1.0.0', '2.0.0');
  const { key, secret } = suite.key;
  const program = ['docs/hosts/mqtt-host.mjs', suite.brokers[1]!.mqttUrl, device.id, key, secret];
  const host = spawn(process.execPath, program, { stdio: 'ignore' });
  const ended = once(host, 'exit');
  const runs = async (version: string) =>
    (await deploymentOf(device.id)).flows[flow.id].currentVersion === version;
  try {
    await waitUntil(() => runs('1.0.0'), 240_000);
    await press(flow, { key: 'set', payload: { temp: 23 }, deviceId: device.id });
    const state = () => suite.get(`/devices/${device.id}/compositeState`);
    await waitUntil(async () => (await state()).temp?.value === 23);
    await deployments.release(flow, '2.0.0', device);
    await waitUntil(() => runs('2.0.0'), 240_000);
  } finally {
    host.kill('SIGINT');
  }
  expect(await ended).toEqual([0, null]);
});

it('a device that subscribes after its hello receives a compressed module once', async () => {
  const device = await deployments.device();
  await release(device, '1.0.0');
  const firmware = await connect(device.id, { ...OPTIONS, gzip: true });
  await firmware.hello();
  await firmware.mqtt.subscribe(firmware.topic('toAgent/flows'));
  await firmware.load(gunzipSync);
  await waitUntil(() => isUpToDate(firmware));
  await firmware.mqtt.subscribe(firmware.topic('toAgent/virtualButton'));
  await firmware.hello();
  await firmware.hello({ bundle: 'no-such-bundle' });
  await firmware.load(gunzipSync);
  expect(firmware.modules).toBe(2);
});

it('faulty messages of agents are shown in debug streams, and foreign ones are not', async () => {
  const device = await deployments.device();
  const flow = await release(device, '1.0.0');
  const other = await makeApplication(suite.test, suite.user.token);
  const foreign = await makeFlow(suite.test, suite.user.token, other.id);
  const at = `${suite.test.client.url}/applications`;
  const [stream, unaware] = await Promise.all([
    EventReader.open(`${at}/${suite.application.id}/devices/${device.id}/debugStream`, suite.user.token),
    EventReader.open(`${at}/${other.id}/flows/${foreign.id}/debugStream`, suite.user.token),
  ]);
  const firmware = await connect(device.id);
  const topic = firmware.topic('fromAgent/hello');
  for (const message of ['{', '{"service":"gatewayEdgeAgent"}', '[]'])
    await firmware.mqtt.publish(topic, message);
  const message = (flowId: string, rest: object = {}) => ({ flowId, sourceNode: 'n1', time: 0, ...rest });
  await waitUntil(async () => {
    await firmware.mqtt.publish(firmware.topic('fromAgent/debug'), [
      message(foreign.id, { message: 'not seen' }),
      { message: 'without a workflow' },
      message(flow.id, {
        error: { type: 'RangeError', message: 'too much' },
        nodeId: 'n2',
        prevNodes: [7, 'n0'],
      }),
    ]);
    return stream.events.length > 3;
  });
  expect(stream.events.slice(0, 4)).toMatchObject([
    { event: 'deviceError', data: { deviceId: device.id, topic, message: 'The message is not valid JSON' } },
    { event: 'deviceError', data: { message: expect.stringContaining('embeddedHello.') } },
    { event: 'deviceError', data: { message: expect.stringContaining('embeddedHello') } },
    {
      event: 'debugMessage',
      data: {
        flowId: flow.id,
        level: 'error',
        message: 'too much',
        error: { name: 'RangeError', message: 'too much' },
        sourceNode: 'n1',
        prevNodes: ['n0'],
        time: expect.any(String),
      },
    },
  ]);
  expect(unaware.events).toEqual([]);
  expect(firmware.mqtt.isClosed).toBe(false);
  await firmware.hello({ version: '2.0.0' });
  await waitUntil(async () => (await deploymentOf(device.id)).logs[0].error?.includes('interface version'));
  for (const open of [stream, unaware]) open.close();
});

it('buttons of workflows on devices need a connected device with the workflow', async () => {
  const [device, other] = await Promise.all([deployments.device(), deployments.device()]);
  const flow = await release(device, '1.0.0');
  const refusalOf = async (body: object) => {
    const { status, body: answer } = await press(flow, { key: 'set', ...body });
    return `${status} ${answer.message}`;
  };
  const prefix = '400 virtualButtonPress.';
  expect(await refusalOf({})).toBe(`${prefix}deviceId is required for workflows that run on devices`);
  expect(await refusalOf({ deviceId: other.id })).toBe(
    `${prefix}deviceId is not a device with this workflow`,
  );
  expect(await refusalOf({ deviceId: device.id })).toBe(`${prefix}deviceId is not a connected device`);
  const { mqtt } = await connect(device.id);
  await mqtt.subscribe(suite.topic(device.id, 'toAgent/virtualButton'));
  expect(await refusalOf({ deviceId: device.id, key: 'none' })).toBe(
    `${prefix}key is not a virtual button of the version`,
  );
  const pressed = { key: 'set', payload: [1], meta: { page: 2 }, flowVersion: '1.0.0' };
  const deviceId = device.id.toUpperCase();
  expect((await press(flow, { ...pressed, deviceId })).body).toEqual({ success: true });
  expect((await mqtt.texts(1)).map((text) => JSON.parse(text))).toEqual([pressed]);
});
