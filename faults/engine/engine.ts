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
/** Starting a process takes seconds of CPU time, PostgreSQL and Redis milliseconds. */
const POSTGRES_KILLS = 15;
const REDIS_KILLS = 6;
const DENSE: Pace = { betweenMs: [50, 500], hangMs: [200, 1_500], maxConcurrent: 4 };
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
    const [postgres, redis] = stage.servers;
    const targets = [
      ...stage.targets,
      ...Array.from({ length: POSTGRES_KILLS - 1 }, () => postgres!),
      ...(redis ? Array.from({ length: REDIS_KILLS - 1 }, () => redis) : []),
    ];
    const injected = await inject(
      targets,
      new Random(seed),
      (count) => count >= kills || Date.now() >= end,
      DENSE,
    );
    isOver = true;
    await Promise.all(callers);
    await ended(stage);
    const found = await verdict(
      (sql, given) => stage.rows(sql, given),
      sites,
      (one) => wrong.push(one),
    );
    const faults = [...injected].map(([{ name }, { kills, hangs }]) => [name, kills, hangs]);
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
