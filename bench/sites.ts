import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { parseArgs } from 'node:util';
import { cpuOf } from './cpu.js';
import { Databases } from './databases.js';
import type { Load } from './load.js';
import { LoadGenerator } from './load-generator.js';
import { MEASURABLE, memoryOf } from './memory.js';
import { freePort } from '../test/setup/free-port.js';
import { launchServer, type RunningServer } from './processes.js';
import type { Shape } from './shapes.js';
import { components, PAGE } from './site-views.js';

// Measures an experience against bare servers of the same run: a static reply, a page with data of devices, and the reply
// of a workflow. Also measures the memory of open streams, and how much a busy site slows down another one.
const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '10' }, rounds: { type: 'string', default: '3' } },
});
const SECONDS = Number(values.seconds);
const ROUNDS = Number(values.rounds);
const CONNECTIONS = 32;
const STREAMS = 2_000;
const NEIGHBOUR_RATE = 200;
const BUSY_RATE = 10_000;
/** The busy site counts as such above this share of its rate. */
const MIN_BUSY_SHARE = 0.9;
/** Above this share of its core, the generators measure how they wait for each other. */
const MAX_GENERATOR_SHARE = 0.7;
const MIB = 1024 * 1024;

const SHAPE: Shape = {
  name: 'sites',
  about: 'one owner has 100 devices',
  ordinary: 1,
  asked: 'ordinary',
  analyzed: true,
};
/** Cases with a bare server, and the least ratio of the rates or the greatest of the p99. */
const CASES = [
  { path: '/static', name: 'static reply', rate: 0.7 },
  { path: '/page', name: 'page of 20 components with 50 devices', rate: 0.7 },
  { path: '/reply', name: 'reply of a workflow', p99: 2 },
] as const;
const MAX_STREAM_MIB = 30;
const MAX_NEIGHBOUR_RATIO = 2;

interface Measured {
  readonly rate: number;
  readonly p99: number;
  /** CPU microseconds of the server per request. */
  readonly cpu: number;
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[numbers.length >> 1]!;
const getOf = (host: string, path: string): string => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;

/** Creates an experience with a static reply, a page and workflows. Returns its application. */
async function makeExperience({ port }: RunningServer, token: string): Promise<string> {
  const post = async (path: string, body: object): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${port}/applications${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const made = (await response.json()) as { id: string };
    if (!response.ok) throw new Error(`POST ${path}: ${JSON.stringify(made)}`);
    return made.id;
  };
  const id = await post('', { name: 'Sites' });
  for (let i = 0; i < 50; i++)
    await post(`/${id}/devices`, { name: `Device ${i}`, description: i % 2 ? 'described' : '' });
  const view = (viewType: string, name: string, body: string) =>
    post(`/${id}/experience/views`, { viewType, name, body });
  const endpoint = (route: string, more: object = {}) =>
    post(`/${id}/experience/endpoints`, { method: 'get', route, ...more });
  const flow = (key: string, nodes: readonly (readonly [type: string, config: object])[]) =>
    post(`/${id}/flows`, {
      name: `Flow ${key}`,
      flowClass: 'experience',
      triggers: [{ type: 'endpoint', key, outputIds: [['n0']] }],
      nodes: nodes.map(([type, config], i) => ({
        id: `n${i}`,
        type,
        config,
        outputIds: [i + 1 < nodes.length ? [`n${i + 1}`] : []],
      })),
    });
  for (const [name, body] of Object.entries(components)) await view('component', name, body);
  const still = await view('page', 'static', '<h1>Static</h1>');
  const page = await view('page', 'page', PAGE);
  await endpoint('/static', { staticReply: { type: 'page', value: still } });
  const find = { findMethod: 'query', queryTemplate: '{}', findMultiple: true, resultsPerPage: '50' };
  const found = { ...find, includeConnectionStatus: false, resultPath: 'working.devices' };
  await flow(await endpoint('/page'), [
    ['GetDeviceNode', found],
    [
      'EndpointReplyNode',
      { replyType: 'page', pageIdTemplate: page, bodyTemplateType: 'path', bodyTemplate: 'working' },
    ],
  ]);
  await flow(await endpoint('/reply'), [['EndpointReplyNode', { bodyTemplate: '{{data.path}}' }]]);
  await flow(await endpoint('/stream'), [
    ['EndpointReplyNode', { replyType: 'mqtt', mqttTopicsTemplate: ['bench/topic'] }],
  ]);
  return id;
}

async function measure(
  load: LoadGenerator,
  server: RunningServer,
  port: number,
  request: string,
): Promise<Measured> {
  const options = { port, connections: CONNECTIONS, requests: [request], once: false };
  await load.send({ ...options, seconds: SECONDS / 4 });
  const before = cpuOf(server.child.pid) ?? 0;
  const { answers, seconds, p99 } = await load.send({ ...options, seconds: SECONDS });
  return { rate: answers / seconds, p99, cpu: ((cpuOf(server.child.pid) ?? 0) - before) / answers };
}

/** Opens streams and returns by how many MiB the memory of the server grows: of its objects and buffers, and resident. */
async function memoryOfStreams(
  { child }: RunningServer,
  port: number,
  host: string,
): Promise<{ used: number; resident: number }> {
  const open = async (): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => undefined);
    socket.write(getOf(host, '/stream'));
    const [head] = (await once(socket, 'data')) as [Buffer];
    if (!head.toString('latin1').startsWith('HTTP/1.1 200 '))
      throw new Error(head.toString('latin1', 0, 300));
    socket.resume();
    return socket;
  };
  const sockets: Socket[] = [];
  // The first ones warm up the engine, whose memory does not count.
  for (let i = 0; i < STREAMS / 4; i++) sockets.push(await open());
  for (const socket of sockets.splice(0)) socket.destroy();
  const before = await memoryOf(child);
  for (let i = 0; i < STREAMS; i++) sockets.push(await open());
  const after = await memoryOf(child);
  for (const socket of sockets) socket.destroy();
  return {
    used: (after.used - before.used) / MIB,
    resident: (after.resident - before.resident) / MIB,
  };
}

interface Neighbour {
  /** Latency of one site, alone and beside a busy one. */
  readonly alone: number;
  readonly beside: number;
  /** Requests per second that the busy site received. */
  readonly rate: number;
  /** Share of their core that the generators used. */
  readonly share: number;
}

/** Measures one site of a server alone, and beside another one that is busy. */
async function besideBusy(
  [quiet, busy]: readonly [LoadGenerator, LoadGenerator],
  port: number,
  [host, busyHost]: readonly [string, string],
): Promise<Neighbour> {
  const loadOf = (name: string, connections: number, rate: number): Load => ({
    port,
    connections,
    requests: [getOf(name, '/static')],
    once: false,
    seconds: SECONDS,
    rate,
  });
  const paced = loadOf(host, 4, NEIGHBOUR_RATE);
  const alone = await quiet.send(paced);
  const [beside, other] = await Promise.all([
    quiet.send(paced),
    busy.send(loadOf(busyHost, CONNECTIONS, BUSY_RATE)),
  ]);
  const rate = other.answers / other.seconds;
  return { alone: alone.p99, beside: beside.p99, rate, share: other.busy + beside.busy };
}

const databases = await Databases.start();
const load = LoadGenerator.start();
const neighbour = LoadGenerator.start();
const missed: string[] = [];
let stopBare = (): Promise<void> => Promise.resolve();
try {
  const field = await databases.fill(SHAPE, 'user');
  const tenant = field.tenants[0]!;
  const sitesPort = Number(await freePort());
  const env = {
    ...field.env,
    PROCESS_ROLE: 'all',
    SITES_PORT: String(sitesPort),
    REQUESTS_PER_SITE: '0',
    STREAMS_PER_PROCESS: '0',
    LOG_FORMAT: 'json',
  };
  const platform = await launchServer('../src/main.js', env, '/health', MEASURABLE);
  try {
    const token = field.newToken(tenant);
    const application = await makeExperience(platform, token);
    const host = `${application}.localhost`;
    // Before the load of the other cases, whose garbage would hold the streams.
    const { used, resident } = await memoryOfStreams(platform, sitesPort, host);
    console.log(
      `${STREAMS} open streams: ${used.toFixed(1)} MiB in use, ${resident.toFixed(1)} MiB more resident.\n`,
    );
    if (used > MAX_STREAM_MIB) missed.push(`${STREAMS} streams use ${used.toFixed(1)} MiB`);
    const bareEnv = { ...field.env, APPLICATION: application };
    const bare = await launchServer('./bare-site.js', bareEnv, '/health');
    stopBare = () => bare.stop();
    console.log('| | bare, 1/s | p99, ms | CPU, us | site, 1/s | p99, ms | CPU, us | rate | p99 |');
    console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
    for (const one of CASES) {
      const rounds: [Measured, Measured][] = [];
      for (let round = 0; round < ROUNDS; round++)
        rounds.push([
          await measure(load, bare, bare.port, getOf(host, one.path)),
          await measure(load, platform, sitesPort, getOf(host, one.path)),
        ]);
      const ratio = (name: 'rate' | 'p99') => median(rounds.map(([own, site]) => site[name] / own[name]));
      const cells = [0, 1].flatMap((side) =>
        (['rate', 'p99', 'cpu'] as const).map((name) =>
          median(rounds.map((each) => each[side]![name])).toFixed(name === 'p99' ? 1 : 0),
        ),
      );
      const [rate, p99] = [ratio('rate'), ratio('p99')];
      console.log(`| ${one.name} | ${cells.join(' | ')} | ${rate.toFixed(2)} | ${p99.toFixed(2)} |`);
      if ('rate' in one && rate < one.rate)
        missed.push(`${one.name}: ${rate.toFixed(2)} of the bare server instead of ${one.rate}`);
      if ('p99' in one && p99 > one.p99)
        missed.push(
          `${one.name}: p99 is ${p99.toFixed(1)} times that of the bare server instead of ${one.p99}`,
        );
    }

    const other = `${await makeExperience(platform, token)}.localhost`;
    const measured = (port: number) => besideBusy([neighbour, load], port, [other, host]);
    const rounds: [Neighbour, Neighbour][] = [];
    for (let round = 0; round < ROUNDS; round++)
      rounds.push([await measured(bare.port), await measured(sitesPort)]);
    const of = (name: keyof Neighbour, side = 1) => median(rounds.map((sides) => sides[side]![name]));
    const slowerOf = (side: number) =>
      median(rounds.map((sides) => sides[side]!.beside / sides[side]!.alone));
    const slower = slowerOf(1);
    console.log(
      `\nA site beside one with ${of('rate').toFixed(0)} requests per second: p99 ${of('beside').toFixed(2)} ms instead of ${of('alone').toFixed(2)} ms, ${slower.toFixed(1)} times. On the bare server ${of('beside', 0).toFixed(2)} ms instead of ${of('alone', 0).toFixed(2)} ms, ${slowerOf(0).toFixed(1)} times.`,
    );
    if (of('rate') < MIN_BUSY_SHARE * BUSY_RATE || of('share') > MAX_GENERATOR_SHARE)
      missed.push(
        `a site beside a busy one: not measured, because the generators used ${(100 * of('share')).toFixed(0)} % of their core and the busy site received ${of('rate').toFixed(0)} requests per second`,
      );
    else if (slower > MAX_NEIGHBOUR_RATIO)
      missed.push(`a site beside a busy one: p99 is ${slower.toFixed(1)} times that alone`);
  } finally {
    await stopBare();
    await platform.stop();
  }
} finally {
  load.stop();
  neighbour.stop();
  await databases.stop();
}
console.log(
  missed.length
    ? `\nMissed targets:\n\n${missed.map((one) => `- ${one}`).join('\n')}`
    : '\nAll targets reached.',
);
process.exitCode = missed.length ? 1 : 0;
