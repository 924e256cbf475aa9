import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from '../client.js';
import { inject, type Fault, type Injected, type Pace } from '../injector.js';
import { Random } from '../random.js';
import { Stage } from '../stage.js';
import { table } from '../table.js';
import type { Target } from '../targets.js';
import { finalState } from '../verdict.js';
import { Fleet } from './fleet.js';
import { verdict } from './verdict.js';

// Kills and hangs brokers, API processes, an engine, PostgreSQL and Redis at random while devices report with QoS 1 and
// receive commands. No acknowledged report may be lost, none may be stored or processed more often than it was sent, and
// each command must reach a connected device once.
const FLEETS = 3;
/** Faults of PostgreSQL and Redis for one of a process of the platform, because they are back sooner. */
const SERVER_FAULTS = 3;
/** Short, so that 300 kills take about half an hour. */
const PACE: Pace = { betweenMs: [100, 500], hangMs: [300, 4_000], maxConcurrent: 2 };
/** Load without faults in the end, in which every command must reach its device. */
const QUIET_MS = 20_000;
/** Time without the end of a run after which the others count as left. */
const END_TIMEOUT_MS = 120_000;
const POLL_INTERVAL_MS = 500;

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '300' }, seed: { type: 'string' } },
});
const kills = Number(values.kills);
const seed = Number(values.seed ?? randomInt(2 ** 31));
if (!(kills > 0) || !Number.isInteger(seed)) throw new Error('--kills and --seed must be numbers');

/**
 * Waits until no run and no session is left, as long as runs end. Returns a sentence for each kind of rows that are left.
 */
async function ended(stage: Stage): Promise<string[]> {
  let fewest = Infinity;
  for (let end = Infinity; ; await sleep(POLL_INTERVAL_MS)) {
    const [[runs, sessions, connected] = []] = await stage.rows(
      `SELECT (SELECT count(*) FROM run_inbox), (SELECT count(*) FROM device_sessions),
         (SELECT count(*) FROM device_states WHERE connected = 1)`,
    );
    const left = Object.entries({ runs, sessions, 'devices that count as connected': connected });
    const found = left.filter(([, count]) => count !== '0');
    if (found.length === 0) return [];
    if (Number(runs) < fewest) {
      fewest = Number(runs);
      end = Date.now() + END_TIMEOUT_MS;
    }
    if (Date.now() > end) return found.map(([kind, count]) => `${count} ${kind} are left`);
  }
}

const faultsOf = (injected: ReadonlyMap<Target, Injected>, is: (target: Target) => boolean): Fault[] =>
  [...injected].flatMap(([target, { faults }]) => (is(target) ? faults : []));

async function run(): Promise<string[]> {
  const wrong: string[] = [];
  const note = (sentence: string): void => void wrong.push(sentence);
  const stage = await Stage.start(note, {
    engines: 1,
    brokers: 2,
    env: {
      MQTT_CONNECTIONS_PER_APPLICATION: '0',
      MQTT_MESSAGES_PER_CLIENT: '0',
      MQTT_MESSAGES_PER_TOPIC: '0',
    },
  });
  try {
    const client = new Client(stage.urls, await stage.signIn());
    const fleets: Fleet[] = [];
    for (let n = 0; n < FLEETS; n++) fleets.push(await Fleet.make(client, stage.mqttPorts, note));
    const devices = fleets.flatMap((fleet) => fleet.devices);
    const servers = [...stage.servers, stage.backend];
    const often = Array.from({ length: SERVER_FAULTS }, () => servers).flat();
    const targets = [...stage.apis, ...stage.engines, ...stage.brokers, ...often];
    let isOver = false;
    const work = [
      ...devices.map((device) => device.reportUntil(() => isOver)),
      ...fleets.map((fleet) => fleet.commandUntil(client, () => isOver)),
    ];
    const injected = await inject(targets, new Random(seed), (count) => count >= kills, PACE);
    await sleep(QUIET_MS);
    isOver = true;
    await Promise.all(work);
    for (const isDone of await Promise.all(devices.map((device) => device.end())))
      if (!isDone) note('A device has reports that are never acknowledged');
    wrong.push(...(await ended(stage)), ...(await finalState(stage)));
    const commandFaults = {
      redis: faultsOf(injected, ({ name }) => name === 'Redis'),
      api: faultsOf(injected, (target) => stage.apis.some((api) => api === target)),
      brokers: faultsOf(injected, (target) => stage.brokers.some((broker) => broker === target)),
    };
    const found = await verdict((sql, given) => stage.rows(sql, given), devices, commandFaults, note);
    const faults = [...injected].map(([{ name }, counts]) => [name, counts.kills, counts.hangs]);
    console.log(`\n${table(['', 'killed', 'hung'], faults)}\n`);
    const rows = found.map((one) => [one.kind, one.acknowledged, one.unknown, one.lost, one.doubled]);
    console.log(table(['', 'acknowledged', 'unknown', 'lost', 'doubled'], rows));
    const connections = devices.reduce((sum, device) => sum + device.connections, 0);
    console.log(`\nConnections of ${devices.length} devices: ${connections}.`);
    for (const { kind, acknowledged, lost, doubled } of found) {
      if (lost || doubled) note(`${kind}: ${lost} lost, ${doubled} duplicated`);
      if (acknowledged === 0) note(`${kind}: none was acknowledged`);
    }
    if (wrong.length) note(`Logs are in ${stage.dataDir}`);
    return wrong;
  } finally {
    await stage.stop({ keep: wrong.length > 0 });
  }
}

console.log(`# Faults of brokers\n\n${kills} kills, seed ${seed}, Node ${process.version}.`);
const wrong = await run();
console.log(
  wrong.length ? `\nFailed checks:\n\n${wrong.map((one) => `- ${one}`).join('\n')}` : '\nAll checks passed.',
);
process.exitCode = wrong.length ? 1 : 0;
