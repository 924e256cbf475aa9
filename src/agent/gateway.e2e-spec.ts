import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestDeployments } from '../../test/make/deployments.js';
import { ECHO_NODE, echoing, makeVersion } from '../../test/make/flows.js';
import { brokerSuite } from '../../test/setup/broker.js';
import { compilePlatform, type CompiledPlatform } from '../../test/setup/compiled.js';
import { freePort } from '../../test/setup/free-port.js';
import { Proxy } from '../../test/setup/proxy.js';
import { waitUntil } from '../../test/setup/until.js';

jest.setTimeout(120_000);
/** The limits of production, below which the agent must stay. */
const suite = brokerSuite({ MQTT_MESSAGES_PER_TOPIC: '30', MQTT_MESSAGES_PER_CLIENT: '300' });
const deployments = new TestDeployments(suite, 'edge');
const folder = mkdtempSync(join(tmpdir(), 'gateway-'));
let compiled: CompiledPlatform;
const running: GatewayProcess[] = [];

beforeAll(async () => {
  compiled = await compilePlatform();
});
afterEach(async () => {
  for (const gateway of running.splice(0)) await gateway.end('SIGKILL');
});
afterAll(async () => {
  await compiled.remove();
  rmSync(folder, { recursive: true });
});

/** The agent in a process of its own, as on a gateway. */
class GatewayProcess {
  output = '';
  private child?: ChildProcess;

  private constructor(
    readonly port: string,
    private readonly env: Record<string, string>,
  ) {}

  static async start(deviceId: string, url: string): Promise<GatewayProcess> {
    const port = await freePort();
    const gateway = new GatewayProcess(port, {
      PLATFORM_MQTT_URL: url,
      DEVICE_ID: deviceId,
      ACCESS_KEY: suite.key.key,
      ACCESS_SECRET: suite.key.secret,
      STORE_PATH: join(folder, deviceId, 'store.db'),
      WORKFLOWS_PATH: join(folder, 'none'),
      WEBSERVER_PORT: port,
      WEBSERVER_ADDRESS: '127.0.0.1',
    });
    running.push(gateway);
    await gateway.begin();
    return gateway;
  }

  async begin(): Promise<void> {
    this.output = '';
    const child = spawn(process.execPath, [compiled.program('src/agent/main')], {
      env: { PATH: process.env.PATH, ...this.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    await waitUntil(async () => {
      if (child.exitCode !== null) throw new Error(`The agent did not start: ${this.output}`);
      return this.output.includes('Running workflows');
    });
  }

  async end(signal: NodeJS.Signals): Promise<number | null> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return null;
    const exited = once(child, 'exit');
    child.kill(signal);
    return (await exited)[0] as number | null;
  }

  /** Sends a request to the workflows. Returns the text of the response, or `undefined` without a response. */
  async post(path: string, body: unknown): Promise<{ status: number; text: string } | undefined> {
    try {
      const response = await fetch(`http://127.0.0.1:${this.port}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: response.status, text: await response.text() };
    } catch {
      return undefined;
    }
  }
}

const report = (valueTemplate: string, config: object = {}) => ({
  type: 'DeviceChangeStateNode',
  config: { attrDataMethod: 'individualFields', attrInfos: [{ key: 'n', valueTemplate }], ...config },
});
/** A device has one state at a time of the clock, so reports of one moment would replace each other. */
const OWN_TIME = { timeSourceType: 'payloadPath', timeSourcePath: 'data.body.time' };
const respond = (bodyTemplate: string) => ({
  type: 'HttpResponseNode',
  config: { responseCodeTemplate: '200', bodyTemplateType: 'string', bodyTemplate },
});
/** Reports the number in the body, and responds when the report is safe. */
const LEDGER = {
  triggers: [
    { type: 'request', key: 'request', config: { method: 'post', route: '/count' }, outputIds: [['a']] },
  ],
  nodes: [
    { id: 'a', ...report('{{data.body.n}}', OWN_TIME), outputIds: [['b']] },
    { id: 'b', ...respond('{{globals.site}} {{flowVersion}}'), outputIds: [[]] },
  ],
};
const STARTED = Date.now() - 3_600_000;
const bodyOf = (n: number) => ({ n, time: STARTED + n * 1_000 });
const attributes = [{ name: 'n', dataType: 'number' }];
const deploymentOf = async (id: string) => (await deployments.of({ id }))[0];
const isUpToDate = async (id: string, version: string | null) => {
  const { currentVersion, currentEtag, desiredEtag } = (await deploymentOf(id)) ?? {};
  return currentVersion === version && currentEtag === desiredEtag;
};
const statesOf = async (id: string): Promise<number[]> => {
  const states = await suite.get(`/devices/${id}/state?limit=1000&since=1`);
  return states.map(({ data }: any) => data.n).sort((a: number, b: number) => a - b);
};

const release = (device: { id: string }, ...versions: string[]): Promise<any> =>
  deployments.releaseNew(device, LEDGER, ...versions);

it('a gateway follows its deployments, runs them, and reports on them', async () => {
  await suite.test.client.patch(`${suite.path}/globals`, [{ key: 'site', json: '"north"' }], {
    token: suite.user.token,
  });
  const device = await deployments.device({ attributes });
  const flow = await release(device, '1.0.0', '2.0.0');
  const gateway = await GatewayProcess.start(device.id, suite.test.mqttUrl);
  await waitUntil(() => isUpToDate(device.id, '1.0.0'));
  expect((await suite.get(`/devices/${device.id}`)).edgeAgentVersion).toBe('2.6.0');
  await waitUntil(async () => (await gateway.post('/count', bodyOf(1)))?.text === 'north 1.0.0');
  await waitUntil(async () => (await statesOf(device.id)).includes(1));

  await deployments.release(flow, '2.0.0', device);
  await waitUntil(() => isUpToDate(device.id, '2.0.0'));
  expect(await gateway.post('/count', bodyOf(2))).toEqual({ status: 200, text: 'north 2.0.0' });

  // A version that the agent cannot run is refused, and the former one goes on.
  await makeVersion(suite.test, suite.user.token, flow, {
    version: '3.0.0',
    minimumAgentVersion: '99.0.0',
    ...LEDGER,
  });
  await deployments.release(flow, '3.0.0', device);
  await waitUntil(async () =>
    (await deploymentOf(device.id)).logs[0].error?.includes('requires agent 99.0.0'),
  );
  expect(await gateway.post('/count', bodyOf(3))).toEqual({ status: 200, text: 'north 2.0.0' });

  await deployments.act('remove', { flowId: flow.id, deviceId: device.id });
  let runs = 3;
  await waitUntil(async () => {
    const status = (await gateway.post('/count', bodyOf(4)))?.status;
    if (status === 200) runs++;
    return status === 404;
  });
  await waitUntil(async () => !(await deploymentOf(device.id))?.currentVersion);

  // Without a connection to the platform, workflows that were released wait for the next start.
  expect(await gateway.end('SIGTERM')).toBe(0);
  // The runs that it has not reported yet.
  const { metrics } = await suite.get(`/flows/${flow.id}/stats?end=${Date.now() + 60_000}`);
  expect(metrics.reduce((sum: number, step: any) => sum + step.runCount, 0)).toBe(runs);
  await deployments.release(flow, '1.0.0', device);
  expect((await deploymentOf(device.id)).currentVersion ?? null).toBeNull();
  await gateway.begin();
  await waitUntil(() => isUpToDate(device.id, '1.0.0'));
});

it('a gateway receives the custom nodes of its workflows, and loses them with the last of these', async () => {
  const device = await deployments.device();
  const node = await deployments.flow([], { ...ECHO_NODE, customNodeSupports: ['edge'] });
  const flow = await deployments.flow([], {
    minimumAgentVersion: ECHO_NODE.minimumAgentVersion,
    triggers: [
      { type: 'request', key: 'request', config: { method: 'post', route: '/count' }, outputIds: [['a']] },
    ],
    nodes: [
      { id: 'a', ...echoing(node.id, '{{data.body.n}}'), outputIds: [['b']] },
      { id: 'b', ...respond('{{working.n}} of the custom node'), outputIds: [[]] },
    ],
  });
  await deployments.release(flow, 'develop', device);
  const gateway = await GatewayProcess.start(device.id, suite.test.mqttUrl);
  const answers = (text: string) =>
    waitUntil(async () => (await gateway.post('/count', bodyOf(7)))?.text === text);
  await answers('7 of the custom node');
  const current = async () => (await deployments.of(device)).map(({ currentVersion }) => currentVersion);
  await waitUntil(async () => (await current()).every((version) => version === 'develop'));

  const nodes = [{ id: 'a', ...respond('without it'), outputIds: [[]] }];
  await suite.test.client.patch(`${suite.path}/flows/${flow.id}`, { nodes }, { token: suite.user.token });
  await deployments.work();
  await answers('without it');
  await waitUntil(async () => (await current()).includes(undefined));
});

it('virtual buttons and commands reach the workflows of a connected gateway', async () => {
  const device = await deployments.device({ attributes });
  const flow = await deployments.flow();
  const output = [['a']];
  await makeVersion(suite.test, suite.user.token, flow, {
    version: '1',
    minimumAgentVersion: '1.5.0',
    triggers: [
      { type: 'virtualButton', key: 'go', outputIds: output },
      { type: 'deviceCommand', key: 'deviceCommand', outputIds: output },
    ],
    nodes: [{ id: 'a', ...report('{{data.n}}{{data.payload.n}}'), outputIds: [[]] }],
  });
  await deployments.release(flow, '1', device);
  await GatewayProcess.start(device.id, suite.test.mqttUrl);
  await waitUntil(() => isUpToDate(device.id, '1'));
  const pressed = await suite.post(`/flows/${flow.id}/virtualButton`, {
    key: 'go',
    payload: { n: 5 },
    deviceId: device.id,
  });
  expect(pressed.body).toEqual({ success: true });
  await suite.post(`/devices/${device.id}/command`, { name: 'set', payload: { n: 6 } });
  await waitUntil(async () => (await statesOf(device.id)).length >= 2);
  expect(await statesOf(device.id)).toEqual([5, 6]);
});

it('each report that a gateway has taken arrives once, although it is killed and cut off', async () => {
  const device = await deployments.device({ attributes });
  await release(device, '1.0.0');
  const proxy = await Proxy.before(suite.test.mqttUrl);
  const gateway = await GatewayProcess.start(device.id, proxy.url);
  await waitUntil(() => isUpToDate(device.id, '1.0.0'));
  const taken = new Set<number>();
  let n = 0;
  const burst = async (): Promise<void> => {
    const sent = Array.from({ length: 10 }, async () => {
      const own = ++n;
      if ((await gateway.post('/count', bodyOf(own)))?.status === 200) taken.add(own);
    });
    await Promise.all(sent);
  };
  const random = randomOf(Number(process.env.SEED));
  const pause = () => new Promise((resolve) => setTimeout(resolve, random() * 300));
  const faults = [
    async () => {
      await gateway.end('SIGKILL');
      await gateway.begin();
    },
    async () => {
      await proxy.refuse();
      await pause();
      await proxy.restore();
    },
  ];
  for (let round = 0; round < 8; round++) {
    const sending = burst();
    await pause();
    await faults[Math.floor(random() * faults.length)]!();
    await sending;
  }
  await burst();
  expect(taken.size).toBeGreaterThan(40);
  await waitUntil(async () => {
    const arrived = new Set(await statesOf(device.id));
    return [...taken].every((own) => arrived.has(own));
  }, 90_000);
  const arrived = await statesOf(device.id);
  expect(arrived).toEqual([...new Set(arrived)]);
  await gateway.end('SIGKILL');
  await proxy.refuse();
});

/** Returns a generator of numbers from 0 to 1 that a seed repeats. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
