import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { connectAsync } from 'mqtt';
import { AgentPlatform } from '../../test/doubles/agent-platform.js';
import { ECHO_NODE, echoing } from '../../test/make/flows.js';
import { freePort } from '../../test/setup/free-port.js';
import { waitUntil } from '../../test/setup/until.js';
import { Agent } from './agent.js';
import { AgentSettings } from './config/agent-settings.js';
import { createLog } from './log.js';

const DEVICE = '5e4c35e1d2f3a40007d9f3c5';
const FLOW = 'a'.repeat(24);
const OTHER = 'b'.repeat(24);

const folder = mkdtempSync(join(tmpdir(), 'agent-'));
let platform: AgentPlatform;
let agent: Agent;
let stores = 0;
let environment: Record<string, string>;

async function start(more: Record<string, string> = {}): Promise<void> {
  environment = {
    PLATFORM_MQTT_URL: platform.url,
    DEVICE_ID: DEVICE,
    ACCESS_KEY: 'key',
    ACCESS_SECRET: 'secret',
    STORE_PATH: join(folder, `${stores}`, 'store.db'),
    WORKFLOWS_PATH: join(folder, `${stores}`, 'workflows'),
    WEBSERVER_PORT: '0',
    WEBSERVER_ADDRESS: '127.0.0.1',
    ...more,
  };
  await restart();
}

async function restart(more: Record<string, string> = {}): Promise<void> {
  agent = await Agent.start(AgentSettings.read({ ...environment, ...more }), createLog('/dev/null', 'debug'));
}

beforeEach(async () => {
  stores++;
  platform = await AgentPlatform.start(DEVICE);
});
afterEach(async () => {
  await agent.stop();
  await platform.stop();
});
afterAll(() => rmSync(folder, { recursive: true }));

const flow = (triggers: object[], nodes: object[], more: object = {}) => ({
  flowId: FLOW,
  flowName: 'Pump',
  flowVersion: '1.0.0',
  etag: 'e1',
  flowClass: 'edge',
  minimumAgentVersion: '1.0.0',
  triggers: triggers.map((trigger) => ({ outputIds: [['n']], ...trigger })),
  nodes: nodes.map((node, i) => ({ id: i === 0 ? 'n' : `n${i}`, outputIds: [[]], ...node })),
  ...more,
});
const BUTTON = { type: 'virtualButton', key: 'go' };
/** Reports values of the payload as the state of the gateway. */
const report = (valueTemplate: string) => ({
  type: 'DeviceChangeStateNode',
  config: { attrDataMethod: 'individualFields', attrInfos: [{ key: 'seen', valueTemplate }] },
});
const press = (payload: unknown) => platform.send('toAgent/virtualButton', { key: 'go', payload });
const seen = async (count = 1): Promise<unknown[]> => {
  await waitUntil(async () => platform.states.length >= count);
  return platform.states.map(({ data }) => data.seen);
};

it('installs, replaces, refuses and removes workflows, and keeps them after a restart', async () => {
  await start();
  expect(await platform.hello()).toEqual({
    service: 'gatewayEdgeAgent',
    version: '2.6.0',
    gzip: true,
    flows: {},
  });
  const first = flow([BUTTON], [report('first {{data.x}}')]);
  expect(await platform.release(first)).toEqual({ flowId: FLOW, version: '1.0.0', etag: 'e1' });
  await press({ x: 1 });
  expect(await seen()).toEqual(['first 1']);

  // A workflow that cannot run leaves the former one.
  for (const [part, error] of [
    [{ minimumAgentVersion: '99.0.0' }, 'requires agent 99.0.0 or later; this agent has the version 2.6.0'],
    [{ nodes: [{ id: 'n', type: 'NoSuchNode', config: {} }] }, 'NoSuchNode'],
    [{ nodes: [{ id: 'n', type: 'SqlNode', config: {} }] }, 'cannot run SqlNode'],
  ] as const) {
    const answer = await platform.release({ ...first, flowVersion: '2.0.0', etag: 'e2', ...part });
    expect(answer).toMatchObject({ flowId: FLOW, version: '2.0.0', etag: 'e2' });
    expect(answer.error).toContain(error);
    expect((await platform.hello()).flows).toEqual({ [FLOW]: { version: '1.0.0', etag: 'e1' } });
  }
  await press({ x: 1 });
  expect(await seen()).toEqual(['first 1']);

  await agent.stop();
  await restart();
  expect((await platform.hello()).flows).toEqual({ [FLOW]: { version: '1.0.0', etag: 'e1' } });
  const second = flow([BUTTON], [report('second {{data.x}}')], { flowVersion: '2.0.0', etag: 'e2' });
  const bytes = gzipSync(JSON.stringify({ set: [second], remove: [] }));
  await platform.send('toAgent/flows', bytes);
  expect((await platform.hello()).flows).toEqual({ [FLOW]: { version: '2.0.0', etag: 'e2' } });
  await press({ x: 2 });
  expect(await seen()).toEqual(['second 2']);
  await platform.send('toAgent/flows', { set: [], remove: [FLOW] });
  expect((await platform.hello()).flows).toEqual({});
  await press({ x: 3 });
  await platform.send('toAgent/flows', { set: 'none' });
  await platform.hello();
  expect(platform.states).toEqual([]);
});

it('completes runs with the custom nodes with which they began', async () => {
  await start();
  await platform.hello();
  const custom = { ...ECHO_NODE, flowId: OTHER, flowName: 'Echo', flowVersion: 'develop', etag: 'c1' };
  const nodes = [
    { ...report('begun'), outputIds: [['n1']] },
    { type: 'DelayNode', config: { delay: 1 }, outputIds: [['n2']] },
    { ...echoing(OTHER, '{{data.x}}'), outputIds: [['n3']] },
    report('{{working.n}} of the custom node'),
  ];
  const more = { minimumAgentVersion: ECHO_NODE.minimumAgentVersion };
  await platform.send('toAgent/flows', { set: [flow([BUTTON], nodes, more), custom], remove: [] });
  await waitUntil(async () => Object.keys((await platform.hello()).flows).length === 2);
  await press({ x: 7 });
  expect(await seen()).toEqual(['begun']);
  const changed = flow([BUTTON], [report('without it')], { ...more, etag: 'e2' });
  await platform.send('toAgent/flows', { set: [changed], remove: [OTHER] });
  await waitUntil(async () => platform.of('fromAgent/flows').length > 0);
  expect(platform.of('fromAgent/flows')[0]).toEqual([
    { flowId: OTHER },
    { flowId: FLOW, version: '1.0.0', etag: 'e2' },
  ]);
  expect(await seen(2)).toEqual(['begun', '7 of the custom node']);
});

it('gives runs the facts of the gateway, and fires for connections, syncs, commands and messages', async () => {
  const triggers = ['onBoot', 'onConnect', 'onDisconnect', 'onSync', 'deviceCommand'].map((type) => ({
    type,
    key: type,
  }));
  const topics = [{ type: 'mqttTopic', key: 'lines/+/speed', config: { integrationId: 'losant' } }];
  await start({ SITE: 'north' });
  await platform.hello();
  const nodes = [
    report(
      '{{triggerType}} {{isConnectedToLosant}} {{agentEnvironment.SITE}} {{agentVersion}} {{jsonEncode data}}',
    ),
  ];
  await platform.release(flow([...triggers, ...topics], nodes));
  await waitUntil(async () => platform.filters.has('lines/+/speed'));
  await platform.send('toAgent/sync', {
    application: { id: 'c'.repeat(24), name: 'Plant', globals: [{ key: 'limit', json: '7' }] },
    globalsEtag: 'g1',
    device: { id: DEVICE, name: 'Gateway', tags: [{ key: 'line', value: '4' }], attributes: [] },
    deviceEtag: 'd1',
  });
  await seen(2);
  expect(await platform.hello()).toMatchObject({ globalsEtag: 'g1', deviceEtag: 'd1' });
  await platform.send('command', {
    name: 'set',
    payload: { a: 1 },
    time: { $date: '2026-01-02T03:04:05.000Z' },
  });
  await platform.publish('lines/7/speed', '12');
  expect((await seen(2)).sort()).toEqual([
    'deviceCommand true north 2.6.0 {"name":"set","payload":{"a":1},"time":"2026-01-02T03:04:05.000Z"}',
    'mqttTopic true north 2.6.0 "12"',
  ]);
  platform.received.length = 0;
  platform.cut();
  const found = (await seen(2)).map(String).sort();
  expect(found[0]).toMatch(/^onConnect true north 2.6.0 \{"lastDisconnectTime":"20/);
  expect(found[1]).toMatch(/^onDisconnect false north 2.6.0 \{"lastConnectTime":"20.*"reason":/);

  // Facts are known without a connection, and after a restart.
  await platform.release(
    flow(
      [{ type: 'onBoot' }],
      [report('{{deviceName}} {{deviceTags.line.[0]}} {{globals.limit}} {{isConnectedToLosant}}')],
      {
        etag: 'e2',
      },
    ),
  );
  await agent.stop();
  platform.received.length = 0;
  await restart();
  expect(await seen()).toEqual(['Gateway 4 7 false']);
});

it('keeps messages without a connection, also when it is restarted, and sends them once, in order', async () => {
  await start({
    LOCAL_BROKER_ENABLED: 'true',
    LOCAL_BROKER_PORT: await freePort(),
    LOCAL_BROKER_ADDRESS: '127.0.0.1',
  });
  await platform.hello();
  const local = { type: 'mqttTopic', key: 'in', config: { integrationId: 'local' } };
  const message = {
    type: 'MqttMessageNode',
    config: { topicTemplate: 'out', messageTemplate: '{{data.message}}' },
  };
  await platform.release(flow([local], [{ ...report('{{data.message}}'), outputIds: [['n1']] }, message]));
  await waitUntil(async () => platform.of('fromAgent/hello').length > 0);
  platform.received.length = 0;
  // The platform is away: another secret is refused.
  await agent.stop();
  await restart({ ACCESS_SECRET: 'other' });
  const send = async (from: number, to: number): Promise<void> => {
    const client = await connectAsync(`mqtt://127.0.0.1:${environment.LOCAL_BROKER_PORT}`);
    for (let i = from; i < to; i++) await client.publishAsync('in', String(i), { qos: 1 });
    await client.endAsync();
  };
  await send(0, 60);
  await agent.stop();
  await restart({ ACCESS_SECRET: 'other' });
  const before = Date.now();
  await send(60, 100);
  await agent.stop();
  expect(platform.received).toEqual([]);
  await restart();
  expect(await seen(100)).toEqual(Array.from({ length: 100 }, (_, i) => String(i)));
  expect(platform.states[0].time).toBeLessThan(before);
  const out = () => platform.received.filter(({ topic }) => topic === 'out').map(({ value }) => value);
  await waitUntil(async () => out().length >= 5);
  expect(out().slice(0, 5)).toEqual([0, 1, 2, 3, 4]);
  // States of a time without a connection share a message.
  expect(platform.of('state').length).toBeLessThan(10);
});

it('drops messages without a connection if queueing is off', async () => {
  await start({ QUEUE_ENABLED: 'false' });
  await platform.hello();
  const timer = { type: 'timer', config: { seconds: 0.1 } };
  await platform.release(flow([timer], [report('{{time}}')]));
  await seen();
  await agent.stop();
  await restart({ ACCESS_SECRET: 'other' });
  await new Promise((resolve) => setTimeout(resolve, 500));
  await agent.stop();
  platform.received.length = 0;
  await restart();
  await seen();
  // Messages of the time without a connection would be sent together.
  expect(Array.isArray(platform.of('state')[0])).toBe(false);
});

it('serves request triggers, with values that it stores, without the platform', async () => {
  const port = await freePort();
  const request = { type: 'request', config: { method: 'get', route: '/count/{name}' } };
  const nodes = [
    {
      type: 'StoreValueNode',
      config: { keyName: 'calls', valueType: 'incr', value: '1', resultPath: 'data.n' },
      outputIds: [['n1']],
    },
    {
      type: 'HttpResponseNode',
      config: {
        responseCodeTemplate: '201',
        bodyTemplate: '{"name": "{{data.params.name}}", "q": "{{data.query.q}}", "n": {{data.n}}}',
      },
    },
  ];
  mkdirSync(join(folder, `${stores}`, 'workflows'), { recursive: true });
  const file = { name: 'Counter', version: '1', ...flow([request], nodes) };
  writeFileSync(join(folder, `${stores}`, 'workflows', 'counter.flow'), JSON.stringify(file));
  writeFileSync(join(folder, `${stores}`, 'workflows', 'broken.flow'), '{');
  await start({ WEBSERVER_PORT: port, WEBSERVER_USERNAME: 'u', WEBSERVER_PASSWORD: 'p' });
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Basic ${btoa('u:p')}` }, ...init });
  const answer = await call('/count/pump?q=1');
  expect(answer.status).toBe(201);
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'");
  expect(await answer.json()).toEqual({ name: 'pump', q: '1', n: 1 });
  expect((await call('/count/pump', { method: 'POST' })).status).toBe(404);
  expect((await call('/other')).status).toBe(404);
  expect((await call('/count/pump', { headers: {} })).status).toBe(401);
  const hello = await platform.hello();
  expect(Object.values(hello.flows)).toEqual([
    { version: '1.0.0', etag: expect.any(String), fileName: 'counter.flow' },
  ]);
});

it('connects local clients with its credentials only, and tells workflows about their messages', async () => {
  const port = await freePort();
  const url = `mqtt://127.0.0.1:${port}`;
  await start({
    LOCAL_BROKER_ENABLED: 'true',
    LOCAL_BROKER_PORT: port,
    LOCAL_BROKER_USERNAME: 'u',
    LOCAL_BROKER_PASSWORD: 'p',
  });
  await platform.hello();
  const local = { type: 'mqttTopic', key: 'in/#', config: { integrationId: 'local' } };
  const echo = {
    type: 'MqttMessageNode',
    config: { integrationId: 'local', topicTemplate: 'out', messageTemplate: '{{jsonEncode data}}' },
  };
  await platform.release(flow([local], [echo]));
  await expect(connectAsync(url, { reconnectPeriod: 0 }, false)).rejects.toThrow();
  const client = await connectAsync(url, { clientId: 'c1', username: 'u', password: 'p' });
  const received: string[] = [];
  client.on('message', (topic, payload) => received.push(`${topic} ${payload.toString()}`));
  await client.subscribeAsync(['out', '$SYS/broker/new/clients']);
  await client.publishAsync('in/a', 'hi');
  const other = await connectAsync(url, { clientId: 'c2', username: 'u', password: 'p' });
  await waitUntil(async () => received.length > 1);
  expect(received.sort()).toEqual([
    '$SYS/broker/new/clients c2',
    'out {"clientId":"c1","topic":"in/a","message":"hi"}',
  ]);
  expect(platform.states).toEqual([]);
  await Promise.all([client.endAsync(), other.endAsync()]);
});

it('shows debug messages to those who watch, and reports runs and errors', async () => {
  await start();
  await platform.hello();
  const nodes = [
    { type: 'DebugNode', config: { message: 'Seen {{data.x}}' }, outputIds: [['n1']] },
    { type: 'ThrowErrorNode', config: { messageTemplate: 'too much' } },
  ];
  await platform.release(flow([BUTTON], nodes));
  await platform.send('toAgent/debug', { flowId: FLOW, level: 'verbose', until: Date.now() + 60_000 });
  await press({ x: 2 });
  await waitUntil(async () => platform.of('fromAgent/debug').flat().length >= 2);
  expect(platform.of('fromAgent/debug').flat()).toMatchObject([
    {
      flowId: FLOW,
      flowVersion: '1.0.0',
      level: 'verbose',
      message: 'Seen 2',
      payload: { data: { x: 2 } },
      sourceNode: 'n',
    },
    { flowId: FLOW, level: 'error', message: 'too much', sourceNode: 'n1' },
  ]);
  await platform.send('toAgent/debug', { flowId: FLOW, level: null });
  await press({ x: 3 });
  await agent.stop();
  expect(platform.of('fromAgent/debug').flat()).toHaveLength(2);
  expect(platform.of('fromAgent/metrics')[0]).toEqual([
    {
      flowId: FLOW,
      flowVersion: '1.0.0',
      runCount: 2,
      errorCount: 2,
      pathsCompleted: 0,
      pathsFailed: 2,
      wallTime: expect.any(Number),
    },
  ]);
  expect(platform.of('fromAgent/errors')[0]).toHaveLength(2);
  expect(platform.of('fromAgent/errors')[0][0]).toMatchObject({
    flowId: FLOW,
    nodeId: 'n1',
    error: { message: 'too much' },
  });
});

it('registers itself: a workflow of a file sets the credentials, and the agent connects with them', async () => {
  const set = (key: string, value: string) => ({ keyTemplate: key, valueTemplate: value });
  const nodes = [
    {
      type: 'AgentConfigSetNode',
      config: {
        configSourceMethod: 'individualFields',
        configSource: [set('gateway.id', DEVICE), set('gateway.key', 'key'), set('gateway.secret', 'secret')],
        resultPath: 'data.result',
      },
    },
  ];
  mkdirSync(join(folder, `${stores}`, 'workflows'), { recursive: true });
  const file = flow([{ type: 'onBoot' }], nodes, { flowId: OTHER });
  writeFileSync(join(folder, `${stores}`, 'workflows', 'register.flow'), JSON.stringify(file));
  await start({ DEVICE_ID: '', ACCESS_KEY: '', ACCESS_SECRET: '' });
  expect(Object.keys((await platform.hello()).flows)).toEqual([OTHER]);
  await agent.stop();
  rmSync(join(folder, `${stores}`, 'workflows'), { recursive: true });
  await restart();
  expect((await platform.hello()).flows).toEqual({});
});
