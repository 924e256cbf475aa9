import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from '../client.js';
import { inject, type Pace } from '../injector.js';
import { Random } from '../random.js';
import { Stage } from '../stage.js';
import { table } from '../table.js';
import { Site, type Cause } from './site.js';
import { verdict } from './verdict.js';

// Kills and hangs engines, API processes, PostgreSQL and Redis at random while webhooks, virtual buttons and timers start
// workflows. Then compares the effects of the workflows with their runs: no acknowledged run may be lost, every run must
// end, and no effect may exist twice.
const CAUSES: readonly Cause[] = ['webhook', 'webhook', 'virtualButton', 'virtualButton', 'timer'];
const ENGINES = 3;
/** A process takes seconds of CPU time to start, so one at a time; PostgreSQL and Redis serve again at once. */
const OF_PROCESSES: Pace = { betweenMs: [400, 2_000], hangMs: [300, 4_000], maxConcurrent: 1 };
const OF_SERVERS: Pace = { betweenMs: [300, 1_500], hangMs: [200, 1_500], maxConcurrent: 2 };
/** Kills of PostgreSQL for each of Redis. */
const POSTGRES_KILLS = 4;
const END_TIMEOUT_MS = 300_000;
const POLL_INTERVAL_MS = 500;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    kills: { type: 'string', default: 'Infinity' },
    seed: { type: 'string' },
  },
});
const minutes = Number(values.minutes);
const kills = Number(values.kills);
const seed = Number(values.seed ?? randomInt(2 ** 31));
if (!(minutes > 0 && kills > 0) || !Number.isInteger(seed))
  throw new Error('--minutes, --kills and --seed must be numbers');

/** Stops the timers and waits until no run is left. */
async function ended(stage: Stage): Promise<void> {
  await stage.rows('DELETE FROM flow_schedules');
  for (const end = Date.now() + END_TIMEOUT_MS; Date.now() < end; await sleep(POLL_INTERVAL_MS)) {
    const [[left] = []] = await stage.rows('SELECT count(*) FROM run_inbox');
    if (left === '0') return;
  }
}

async function run(): Promise<string[]> {
  const wrong: string[] = [];
  const stage = await Stage.start((sentence) => wrong.push(sentence), { engines: ENGINES });
  try {
    const client = new Client(stage.urls, await stage.signIn());
    const sites: Site[] = [];
    for (const cause of CAUSES) sites.push(await Site.make(client, cause));
    const end = Date.now() + minutes * 60_000;
    let isOver = false;
    const callers = sites.map((site) => site.callUntil(client, () => isOver));
    const counts = { processes: 0, servers: 0 };
    const isEnough = (of: keyof typeof counts) => (count: number) => {
      counts[of] = count;
      return Date.now() >= end || counts.processes + counts.servers >= kills;
    };
    const [postgres, ...redis] = stage.servers;
    const servers = [...Array.from({ length: POSTGRES_KILLS }, () => postgres!), ...redis];
    const random = new Random(seed);
    const injected = await Promise.all([
      inject(stage.processes, random, isEnough('processes'), OF_PROCESSES),
      inject(servers, random, isEnough('servers'), OF_SERVERS),
    ]);
    isOver = true;
    await Promise.all(callers);
    await ended(stage);
    const found = await verdict(
      (sql, given) => stage.rows(sql, given),
      sites,
      (one) => wrong.push(one),
    );
    const faults = injected
      .flatMap((of) => [...of])
      .map(([{ name }, { kills, hangs }]) => [name, kills, hangs]);
    console.log(`\n${table(['', 'killed', 'hung'], faults)}\n`);
    const rows = found.map((one) => [one.kind, one.acknowledged, one.unknown, one.lost, one.doubled]);
    console.log(table(['', 'acknowledged', 'unknown', 'lost', 'doubled'], rows));
    for (const { kind, acknowledged, lost, doubled } of found) {
      if (lost || doubled) wrong.push(`${kind}: ${lost} lost, ${doubled} duplicated`);
      if (acknowledged === 0) wrong.push(`${kind}: none was acknowledged`);
    }
    if (wrong.length) wrong.push(`Logs are in ${stage.dataDir}`);
    return wrong;
  } finally {
    await stage.stop({ keep: wrong.length > 0 });
  }
}

console.log(
  `# Faults of engines\n\n${minutes} minutes, at most ${kills} kills, seed ${seed}, Node ${process.version}.`,
);
const wrong = await run();
console.log(
  wrong.length ? `\nFailed checks:\n\n${wrong.map((one) => `- ${one}`).join('\n')}` : '\nAll checks passed.',
);
process.exitCode = wrong.length ? 1 : 0;
