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

// Compares the platform with a bare server: rates, p99 and CPU for several data shapes. Absolute rates vary between
// machines and over time. Ratios within one run are comparable; CPU ratios are reliable even on a busy machine.
const PACE: Pace = {
  warmUp: 3_000,
  seconds: Number(process.env.BENCH_SECONDS ?? '2'),
  rounds: Number(process.env.BENCH_ROUNDS ?? '3'),
};
const QUICK: Pace = { warmUp: 500, seconds: 0.7, rounds: 1 };

/** Runs every case in the named shapes, or in all shapes. Fails if a target is missed. */
async function full(names: readonly string[]): Promise<boolean> {
  const shapes = SHAPES.filter(({ name }) => names.length === 0 || names.includes(name));
  console.log(`# Benchmark\n\n${LEGEND}\n`);
  console.log(`Median of ${PACE.rounds} rounds of ${PACE.seconds} s each, Node ${process.version}.`);
  if (!pinned)
    console.log('Processes cannot be pinned to separate cores on this machine, so results vary more.');
  const { measured, faults, failures } = await run(shapes, PACE, undefined, printLine);
  if (shapes.length === SHAPES.length) {
    console.log(`\n## Growth\n\n${growthTable(CASES, measured)}`);
    await writeLast(measured);
  }
  const shares = measured.flatMap(({ results }) => Object.values(results).map((result) => result?.busy ?? 0));
  console.log(`\nThe load generator used at most ${Math.round(Math.max(...shares) * 100)} % of its core.`);
  return verdict([...faults, ...failures, ...missed(CASES, measured)]);
}

function printLine(one: Measured): void {
  const { shape, ownedBy } = one;
  if (ownedBy === OWNED_BY[0]) console.log(`\n## ${shape.name}\n\nHere ${shape.about}.`);
  console.log(`\nApplications owned by ${ownedBy}s:\n\n${shapeTable(one)}`);
}

/**
 * A run of less than a minute, limited to results that are reliable on a busy machine: CPU ratios, printed next to
 * those of the last full run for information. Fails only on machine-independent checks: statements and plans.
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
  if (sentences.length === 0) console.log('\nAll checks passed.');
  else console.log(`\nFailed checks:\n\n${sentences.map((one) => `- ${one}`).join('\n')}`);
  return sentences.length === 0;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false } },
});
const stranger = positionals.find((name) => !SHAPES.some((shape) => shape.name === name));
if (stranger !== undefined)
  throw new Error(`${stranger} is not one of ${SHAPES.map(({ name }) => name).join(', ')}`);
if (!cpuIsKnown)
  console.log('CPU usage is not reported: this operating system does not provide it per process.\n');
process.exitCode = (await (values.quick ? quick() : full(positionals))) ? 0 : 1;
