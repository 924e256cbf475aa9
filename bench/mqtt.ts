import { parseArgs } from 'node:util';
import { cpuOf } from './cpu.js';
import { Databases, withClient, type Field } from './databases.js';
import { LoadGenerator } from './load-generator.js';
import { MEASURABLE, memoryOf, residentOf, type Memory } from './memory.js';
import { startMosquitto } from './mosquitto.js';
import type { Credentials, MqttLoad, MqttResult } from './mqtt-load.js';
import { freePort } from '../test/setup/free-port.js';
import { launch, launchServer, messageOf } from './processes.js';
import { idOf, seedDevices } from './reads-data.js';
import type { Shape } from './shapes.js';

// Measures the broker beside Mosquitto in the same run: memory of idle connections, and custom messages from one client to
// another. Also compares reports over MQTT with reports over HTTP, measures how fast known devices connect, and how idle
// devices slow down the API of their process.
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
    clients: { type: 'string', default: '10000' },
  },
});
const SECONDS = Number(values.seconds);
const ROUNDS = Number(values.rounds);
const CLIENTS = Number(values.clients);
const PAIRS = 16;
/** Messages a second at which latency is compared; both servers can take more. */
const PACE = 1_000;
const REPORTERS = 64;
const CONNECTING = 100;
const KIB = 1024;

const MAX_MEMORY = 3;
const MIN_RATE = 0.3;
const MAX_P99 = 3;
const MIN_REPORTS = 1.5;
const MIN_CONNECTIONS = 1_000;
const MIN_API = 0.9;

const SHAPE: Shape = {
  name: 'mqtt',
  about: 'one owner has 100 applications',
  ordinary: 1,
  asked: 'ordinary',
  analyzed: true,
};

/** A broker with the process that is measured. */
interface Broker {
  readonly pid: number;
  readonly port: number;
  readonly clients: readonly Credentials[];
  memory(): Promise<Memory>;
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[numbers.length >> 1]!;
const rateOf = ({ count, seconds }: MqttResult): number => count / seconds;
const missed: string[] = [];

/** Prints a ratio, and notes it if it misses its target. */
function compare(name: string, ratio: number, target: { min: number } | { max: number }): void {
  const isMissed = 'min' in target ? ratio < target.min : ratio > target.max;
  const bound = 'min' in target ? `at least ${target.min}` : `at most ${target.max}`;
  console.log(`${name}: ${ratio.toFixed(2)} (${bound})`);
  if (isMissed) missed.push(`${name}: ${ratio.toFixed(2)} instead of ${bound}`);
}

const load = launch('./mqtt-load.js', { core: 1 });
async function send(work: MqttLoad): Promise<MqttResult> {
  load.send(work);
  const result = await messageOf<MqttResult | { failure: string }>(load);
  if ('failure' in result) throw new Error(result.failure);
  return result;
}

const hold = ({ port, clients }: Broker): Promise<MqttResult> =>
  send({ kind: 'hold', port, clients, concurrency: CONNECTING });
const release = ({ port }: Broker): Promise<MqttResult> => send({ kind: 'release', port, clients: [] });

/**
 * Connects all clients, and returns by how many KiB one increases the memory, without garbage. Resident memory grows less
 * than what is used if the heap had room, so the larger of both counts. The first clients warm up the process and are not
 * counted.
 */
async function memoryOfIdle({ clients, ...broker }: Broker): Promise<number> {
  const first = CLIENTS / 5;
  await hold({ ...broker, clients: clients.slice(0, first) });
  const before = await broker.memory();
  await hold({ ...broker, clients: clients.slice(first) });
  const after = await broker.memory();
  const grown = Math.max(after.used - before.used, after.resident - before.resident);
  return grown / KIB / (CLIENTS - first);
}

/** Rate, p99 at a fixed rate, and CPU microseconds per message of custom messages. */
async function messages({ pid, port, clients }: Broker, qos: 0 | 1) {
  const work = { kind: 'pairs', port, qos, clients: clients.slice(0, 2 * PAIRS) } as const;
  await send({ ...work, seconds: SECONDS / 4 });
  const before = cpuOf(pid) ?? 0;
  const result = await send({ ...work, seconds: SECONDS });
  const cpu = ((cpuOf(pid) ?? 0) - before) / result.count;
  const { p99 } = await send({ ...work, seconds: SECONDS, rate: PACE });
  return { rate: rateOf(result), p99, cpu };
}

async function compareMessages(own: Broker, other: Broker): Promise<void> {
  console.log('\n| | Mosquitto, 1/s | p99, ms | CPU, us | broker, 1/s | p99, ms | CPU, us |');
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |');
  const ratios: (() => void)[] = [];
  for (const qos of [0, 1] as const) {
    const rounds: Awaited<ReturnType<typeof messages>>[][] = [];
    for (let round = 0; round < ROUNDS; round++)
      rounds.push([await messages(other, qos), await messages(own, qos)]);
    const cells = [0, 1].flatMap((side) =>
      (['rate', 'p99', 'cpu'] as const).map((name) =>
        median(rounds.map((each) => each[side]![name])).toFixed(name === 'rate' ? 0 : 2),
      ),
    );
    console.log(`| QoS ${qos} | ${cells.join(' | ')} |`);
    const ratio = (name: 'rate' | 'p99') =>
      median(rounds.map(([theirs, ours]) => ours![name] / theirs![name]));
    ratios.push(() => {
      compare(`Rate of QoS ${qos}`, ratio('rate'), { min: MIN_RATE });
      compare(`p99 of QoS ${qos} at ${PACE} messages a second`, ratio('p99'), { max: MAX_P99 });
    });
  }
  console.log('');
  for (const print of ratios) print();
}

/** Compares acknowledged reports over MQTT, ten of each device under way, with reports over HTTP. */
async function compareReports(broker: Broker, http: LoadGenerator, api: Api): Promise<void> {
  const body = JSON.stringify({ data: { a1: 7 } });
  const requests = broker.clients
    .slice(0, REPORTERS)
    .map(({ clientId }) => api.request('POST', `/devices/${clientId}/state`, body));
  const clients = broker.clients.slice(0, REPORTERS);
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { answers, seconds } = await http.send({
      port: api.port,
      connections: REPORTERS,
      requests,
      once: false,
      seconds: SECONDS,
    });
    const before = cpuOf(broker.pid) ?? 0;
    const reports = await send({
      kind: 'reports',
      port: broker.port,
      clients,
      topicPrefix: 'fieldwright',
      seconds: SECONDS,
    });
    const cpu = ((cpuOf(broker.pid) ?? 0) - before) / reports.count;
    console.log(
      `Reports a second: ${(answers / seconds).toFixed(0)} over HTTP, ${rateOf(reports).toFixed(0)} over MQTT (${cpu.toFixed(0)} us CPU each).`,
    );
    ratios.push(rateOf(reports) / (answers / seconds));
  }
  compare('Reports over MQTT and over HTTP', median(ratios), { min: MIN_REPORTS });
}

/** The API of the application. */
interface Api {
  readonly port: number;
  request(method: string, path: string, body?: string): string;
}

async function makeKey(field: Field, port: number, application: string): Promise<Credentials> {
  const response = await fetch(`http://127.0.0.1:${port}/applications/${application}/keys`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${field.tenants[0]!.token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: 'bench', filterType: 'all' }),
  });
  const { key, secret } = (await response.json()) as { key: string; secret: string };
  if (!response.ok) throw new Error(`POST keys returned ${response.status}`);
  return { clientId: '', username: key, password: secret };
}

const databases = await Databases.start();
const http = LoadGenerator.start();
const mosquitto = await startMosquitto();
try {
  const field = await databases.fill(SHAPE, 'user');
  const [{ applications, token }] = field.tenants as [Field['tenants'][number]];
  const application = applications[1]!;
  await withClient(field.env.DATABASE_URL!, (client) =>
    seedDevices(client, 'reporting', application, CLIENTS),
  );
  const mqttPort = Number(await freePort());
  const platform = await launchServer(
    '../src/main.js',
    {
      ...field.env,
      PROCESS_ROLE: 'all',
      MQTT_PORT: String(mqttPort),
      MQTT_CLIENTS: '100000',
      MQTT_CONNECTIONS_PER_APPLICATION: '0',
      MQTT_MESSAGES_PER_CLIENT: '0',
      MQTT_MESSAGES_PER_TOPIC: '0',
    },
    '/health',
    MEASURABLE,
  );
  try {
    const key = await makeKey(field, platform.port, application);
    const clients = Array.from({ length: CLIENTS }, (_, i) => ({ ...key, clientId: idOf('reporting', i) }));
    const anonymous = clients.map(({ clientId }) => ({ clientId }));
    const other: Broker = {
      pid: mosquitto.pid,
      port: mosquitto.port,
      clients: anonymous,
      memory: async () => ({ used: 0, resident: (await residentOf(mosquitto.pid)) * KIB * KIB }),
    };
    const own: Broker = {
      pid: platform.child.pid,
      port: mqttPort,
      clients,
      memory: () => memoryOf(platform.child),
    };
    const api: Api = {
      port: platform.port,
      request: (method, path, body = '') =>
        `${method} /applications/${application}${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    };
    const gets = async (): Promise<number> => {
      const work = { port: api.port, connections: 8, requests: [api.request('GET', '')], once: false };
      await http.send({ ...work, seconds: SECONDS / 4 });
      const { answers, seconds } = await http.send({ ...work, seconds: SECONDS });
      return answers / seconds;
    };

    const theirs = await memoryOfIdle(other);
    await release(other);
    const ours = await memoryOfIdle(own);
    console.log(
      `Memory of ${CLIENTS} idle clients: ${theirs.toFixed(1)} KiB each at Mosquitto, ${ours.toFixed(1)} at the broker.`,
    );
    compare('Memory of idle clients', ours / theirs, { max: MAX_MEMORY });
    const beside = await gets();
    await release(own);
    const alone = await gets();
    console.log(
      `\nGets of an application a second: ${alone.toFixed(0)}, ${beside.toFixed(0)} beside ${CLIENTS} idle clients.`,
    );
    compare('Gets beside idle clients', beside / alone, { min: MIN_API });
    const connected = await hold(own);
    console.log(
      `\nNew connections a second: ${rateOf(connected).toFixed(0)}, p99 ${connected.p99.toFixed(0)} ms.`,
    );
    compare('Thousands of new connections a second', rateOf(connected) / MIN_CONNECTIONS, { min: 1 });
    await release(own);
    await compareMessages(own, other);
    console.log('');
    await compareReports(own, http, api);
  } finally {
    await platform.stop();
  }
} finally {
  load.kill();
  http.stop();
  await mosquitto.stop();
  await databases.stop();
}
console.log(
  missed.length
    ? `\nMissed targets:\n\n${missed.map((one) => `- ${one}`).join('\n')}`
    : '\nAll targets reached.',
);
process.exitCode = missed.length ? 1 : 0;
