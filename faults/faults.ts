import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Caller } from './caller.js';
import { Client } from './client.js';
import { inject, type Injected } from './injector.js';
import { Ledger } from './ledger.js';
import { Random } from './random.js';
import { Stage } from './stage.js';
import { table } from './table.js';
import type { Target } from './targets.js';
import { finalState, verdict, type Found } from './verdict.js';

// Kills and hangs the processes of a platform, its PostgreSQL and its Redis at random under load. Then compares the
// responses that callers received with the final state: no acknowledged change may be lost or applied twice.
const CALLERS = 6;
const MINUTES = '10';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: MINUTES }, seed: { type: 'string' } },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed ?? randomInt(2 ** 31));
if (!(minutes > 0) || !Number.isInteger(seed)) throw new Error('--minutes and --seed must be numbers');

function printLine(injected: ReadonlyMap<Target, Injected>, found: readonly Found[], ledger: Ledger): void {
  const faults = [...injected].map(([{ name }, { kills, hangs }]) => [name, kills, hangs]);
  console.log(`\n${table(['', 'killed', 'hung'], faults)}\n`);
  const rows = found.map((one) => [one.kind, one.acknowledged, one.unknown, one.lost, one.doubled]);
  console.log(`${table(['', 'acknowledged', 'unknown', 'lost', 'doubled'], rows)}\n`);
  const statuses = [...ledger.statuses].sort(([a], [b]) => a - b);
  const answers = statuses.map(([status, count]) => `${status || 'none'}: ${count}`).join(', ');
  console.log(`Responses by status: ${answers}. The slowest took ${(ledger.longestMs / 1000).toFixed(1)} s.`);
}

async function run(): Promise<string[]> {
  const wrong: string[] = [];
  const stage = await Stage.start((sentence) => wrong.push(sentence));
  try {
    const ledger = new Ledger();
    const token = await stage.signIn();
    const end = Date.now() + minutes * 60_000;
    const callers = Array.from({ length: CALLERS }, () => {
      const client = new Client(stage.urls, token, (status, ms) => ledger.note(status, ms));
      return new Caller(client, ledger).callUntil(end);
    });
    const [injected] = await Promise.all([
      inject(stage.targets, new Random(seed), () => Date.now() >= end),
      ...callers,
    ]);
    wrong.push(...(await finalState(stage)));
    const found = await verdict(stage, ledger);
    printLine(injected, found, ledger);
    for (const { kind, acknowledged, lost, doubled } of found) {
      if (lost || doubled) wrong.push(`${kind}: ${lost} lost, ${doubled} duplicated`);
      if (acknowledged === 0) wrong.push(`${kind}: none was acknowledged`);
    }
    const errors = ledger.statuses.get(500);
    if (errors) wrong.push(`Responses with status 500: ${errors}`);
    if (wrong.length) wrong.push(`Logs are in ${stage.dataDir}`);
    return wrong;
  } finally {
    await stage.stop({ keep: wrong.length > 0 });
  }
}

console.log(`# Faults\n\n${minutes} minutes with ${CALLERS} callers, seed ${seed}, Node ${process.version}.`);
const wrong = await run();
console.log(
  wrong.length ? `\nFailed checks:\n\n${wrong.map((one) => `- ${one}`).join('\n')}` : '\nAll checks passed.',
);
process.exitCode = wrong.length ? 1 : 0;
