import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { rowsTable } from '../../src/modules/data/data-tables/table-columns.js';
import { Client } from '../client.js';
import { inject } from '../injector.js';
import { Random } from '../random.js';
import { Stage } from '../stage.js';
import { table } from '../table.js';
import { verdict } from './verdict.js';
import { Visits } from './visits.js';

// Kills and hangs engines, processes of sites, PostgreSQL and Redis at random while requests wait for the replies of
// workflows. Each reply must reach its own request, no request may be answered twice, and no workflow may act twice.
/** Each has its own application: the runs of an application have one engine, and wait for another one after it dies. */
const EXPERIENCES = 8;
/** For each experience and process of sites. */
const VISITORS = 3;
const END_TIMEOUT_MS = 120_000;
const POLL_INTERVAL_MS = 500;

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '5' }, seed: { type: 'string' } },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed ?? randomInt(2 ** 31));
if (!(minutes > 0) || !Number.isInteger(seed)) throw new Error('--minutes and --seed must be numbers');

/** Waits until no run is left. */
async function ended(stage: Stage): Promise<void> {
  for (const end = Date.now() + END_TIMEOUT_MS; Date.now() < end; await sleep(POLL_INTERVAL_MS)) {
    const [[left] = []] = await stage.rows('SELECT count(*) FROM run_inbox');
    if (left === '0') return;
  }
}

async function run(): Promise<string[]> {
  const wrong: string[] = [];
  const stage = await Stage.start((sentence) => wrong.push(sentence), {
    engines: 2,
    sites: 2,
    env: { REQUESTS_PER_SITE: '0' },
  });
  try {
    const client = new Client(stage.urls, await stage.signIn());
    const experiences = await Promise.all(Array.from({ length: EXPERIENCES }, () => Visits.make(client)));
    const end = Date.now() + minutes * 60_000;
    let isOver = false;
    const visitors = experiences.flatMap((visits) =>
      stage.sitesPorts.flatMap((port) =>
        Array.from({ length: VISITORS }, () => visits.visitUntil(port, () => isOver)),
      ),
    );
    const targets = [...stage.engines, ...stage.sites, ...stage.servers];
    // In the first round of faults, each target is killed once.
    const isEnough = (kills: number) => Date.now() >= end && kills >= targets.length;
    const injected = await inject(targets, new Random(seed), isEnough);
    isOver = true;
    await Promise.all(visitors);
    await ended(stage);
    const columns = `jsonb_each_text(to_jsonb(t) - 'id' - 'created_at' - 'updated_at')`;
    const rows: string[][] = [];
    for (const { tableId } of experiences)
      rows.push(...(await stage.rows(`SELECT value FROM ${rowsTable(tableId)} t, ${columns}`)));
    const visits = experiences.flatMap(({ all }) => all);
    const { answered, refused, unanswered } = verdict(
      visits,
      rows.map(([key]) => key!),
      (sentence) => wrong.push(sentence),
    );
    const faults = [...injected].map(([{ name }, { kills, hangs }]) => [name, kills, hangs]);
    console.log(`\n${table(['', 'killed', 'hung'], faults)}\n`);
    console.log(
      table(
        ['', 'requests'],
        [
          ['answered by their workflow', answered],
          ['answered by an error', refused],
          ['without a response', unanswered],
        ],
      ),
    );
    if (answered === 0) wrong.push('No request was answered');
    if (wrong.length) wrong.push(`Logs are in ${stage.dataDir}`);
    return wrong;
  } finally {
    await stage.stop({ keep: wrong.length > 0 });
  }
}

console.log(`# Faults of sites\n\n${minutes} minutes, seed ${seed}, Node ${process.version}.`);
const wrong = await run();
console.log(
  wrong.length ? `\nFailed checks:\n\n${wrong.map((one) => `- ${one}`).join('\n')}` : '\nAll checks passed.',
);
process.exitCode = wrong.length ? 1 : 0;
