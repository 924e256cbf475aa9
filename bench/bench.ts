import { parseArgs } from 'node:util';
import { CASES } from './cases.js';
import { cpuIsKnown } from './cpu.js';
import { readLast, writeLast } from './last.js';
import type { Pace } from './measure.js';
import { pinned } from './processes.js';
import { growthTable, LEGEND, quickTable, shapeTable, type Measured } from './report.js';
import { run } from './run.js';
import { EVEN, OWNED_BY, SHAPES } from './shapes.js';
import { missed } from './targets.js';

// Measures the platform beside a bare server: rates, p99 and CPU, in several shapes of data. Rates differ from machine to
// machine and hour to hour; ratios of one run can be compared, and those of CPU hold on a busy machine too.
const PACE: Pace = {
  warmUp: 1,
  seconds: Number(process.env.BENCH_SECONDS ?? '2'),
  rounds: Number(process.env.BENCH_ROUNDS ?? '3'),
};
const QUICK: Pace = { warmUp: 0.3, seconds: 0.7, rounds: 1 };

/** Every case in the shapes of those names, or in all: fails where something is not reached. */
async function full(names: readonly string[]): Promise<boolean> {
  const shapes = SHAPES.filter(({ name }) => names.length === 0 || names.includes(name));
  console.log(`# Benchmark\n\n${LEGEND}\n`);
  console.log(`Median of ${PACE.rounds} rounds of ${PACE.seconds} s each, Node ${process.version}.`);
  if (!pinned) console.log('Processes are not held on cores of their own here, so figures vary more.');
  const { measured, faults, failures } = await run(shapes, PACE, undefined, tell);
  if (shapes.length === SHAPES.length) {
    console.log(`\n## Growth\n\n${growthTable(CASES, measured)}`);
    await writeLast(measured);
  }
  const shares = measured.flatMap(({ results }) => Object.values(results).map((result) => result?.busy ?? 0));
  console.log(
    `\nThe sender of requests used ${Math.round(Math.max(...shares) * 100)} % of its core at most.`,
  );
  return verdict([...faults, ...failures, ...missed(CASES, measured)]);
}

function tell(one: Measured): void {
  const { shape, ownedBy } = one;
  if (ownedBy === OWNED_BY[0]) console.log(`\n## ${shape.name}\n\nHere ${shape.about}.`);
  console.log(`\nApplications of ${ownedBy}s:\n\n${shapeTable(one)}`);
}

/**
 * Less than a minute of what a busy machine can tell too: ratios of CPU, beside those of the last full run, for whoever
 * reads them. Fails by what does not depend on the machine: statements and plans.
 */
async function quick(): Promise<boolean> {
  const last = await readLast();
  const { measured, faults, failures } = await run(
    [EVEN],
    QUICK,
    ({ target }) => cpuIsKnown && target !== undefined,
  );
  if (cpuIsKnown) console.log(quickTable(measured, last));
  for (const failure of failures) console.log(`Not measured: ${failure}`);
  return verdict(faults);
}

function verdict(sentences: readonly string[]): boolean {
  if (sentences.length === 0) console.log('\nAll is as it has to be.');
  else console.log(`\nNot as it has to be:\n\n${sentences.map((one) => `- ${one}`).join('\n')}`);
  return sentences.length === 0;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false } },
});
const stranger = positionals.find((name) => !SHAPES.some((shape) => shape.name === name));
if (stranger !== undefined)
  throw new Error(`${stranger} is none of ${SHAPES.map(({ name }) => name).join(', ')}`);
if (!cpuIsKnown) console.log('The operating system does not tell what processes use: no figures of CPU.\n');
process.exitCode = (await (values.quick ? quick() : full(positionals))) ? 0 : 1;
