import { parseArgs } from 'node:util';
import { CASES, type Case } from './cases.js';
import { check } from './checks.js';
import { cpuIsKnown } from './cpu.js';
import { Databases, type Field } from './databases.js';
import { readLast, writeLast } from './last.js';
import { LoadGenerator } from './load-generator.js';
import { measure, warm, type Pace, type Result } from './measure.js';
import { launchServer, pinned } from './processes.js';
import { growthTable, LEGEND, quickTable, shapeTable, type Measured, type Results } from './report.js';
import { EVEN, OWNED_BY, SHAPES, type Shape } from './shapes.js';
import { missed } from './targets.js';

// Measures the platform beside a bare server: rates, p99 and CPU, in several shapes of data. Rates differ from machine to
// machine and hour to hour; ratios of one run can be compared, and those of CPU hold on a busy machine too.
const PACE: Pace = {
  warmUp: 1,
  seconds: Number(process.env.BENCH_SECONDS ?? '2'),
  rounds: Number(process.env.BENCH_ROUNDS ?? '3'),
};
const QUICK: Pace = { warmUp: 0.3, seconds: 0.7, rounds: 1 };

/** What came of a run. */
interface Outcome {
  measured: Measured[];
  /** A sentence for each thing that did not go as it has to go on any machine. */
  faults: string[];
}

/** Checks and measures cases in shapes of data, and tells of each shape as soon as it is done. */
async function run(
  shapes: readonly Shape[],
  cases: readonly Case[],
  pace: Pace,
  tell: (one: Measured) => void,
): Promise<Outcome> {
  const databases = await Databases.start();
  const load = LoadGenerator.start();
  const outcome: Outcome = { measured: [], faults: [] };
  try {
    for (const shape of shapes) {
      for (const ownedBy of OWNED_BY) {
        const field = await databases.fill(shape, ownedBy);
        const checked = await check(field);
        const { results, failed } = await measureAll(field, load, cases, pace);
        outcome.faults.push(
          ...[...checked, ...failed].map((fault) => `${fault} (of ${ownedBy}s, ${shape.name})`),
        );
        outcome.measured.push({ shape, ownedBy, results });
        tell(outcome.measured.at(-1)!);
      }
    }
  } finally {
    load.stop();
    await databases.stop();
  }
  return outcome;
}

/** Measures cases on servers of their own. */
async function measureAll(
  field: Field,
  load: LoadGenerator,
  cases: readonly Case[],
  pace: Pace,
): Promise<{ results: Results; failed: string[] }> {
  const platform = await launchServer('../src/main.js', { ...field.env, PROCESS_ROLE: 'all' }, '/health');
  const anyPath = `/applications/${field.tenants[0]!.applications[0]}`;
  const bare = await launchServer('./bare-server.js', field.env, anyPath);
  const arena = { field, load, platform, bare };
  const results: Record<string, Result> = {};
  const failed: string[] = [];
  try {
    // Both servers are compiled further while they answer their first thousands of requests, whatever these are.
    if (cases[0]) await warm(arena, cases[0], 3 * pace.warmUp);
    for (const one of cases)
      try {
        results[one.name] = await measure(arena, one, pace);
      } catch (error) {
        failed.push(`${one.name}: ${(error as Error).message}`);
      }
    return { results, failed };
  } finally {
    await Promise.all([platform.stop(), bare.stop()]);
  }
}

/** Every case in the shapes of those names, or in all: fails where something is not reached. */
async function full(names: readonly string[]): Promise<boolean> {
  const shapes = SHAPES.filter(({ name }) => names.length === 0 || names.includes(name));
  console.log(`# Benchmark\n\n${LEGEND}\n`);
  console.log(`Median of ${PACE.rounds} rounds of ${PACE.seconds} s each, Node ${process.version}.`);
  if (!pinned) console.log('Processes are not held on cores of their own here, so figures vary more.');
  const { measured, faults } = await run(shapes, CASES, PACE, (one) => {
    if (one.ownedBy === OWNED_BY[0]) console.log(`\n## ${one.shape.name}\n\n${one.shape.about}.`);
    console.log(`\nApplications of ${one.ownedBy}s:\n\n${shapeTable(CASES, one)}`);
  });
  if (shapes.length === SHAPES.length) {
    console.log(`\n## Growth\n\n${growthTable(CASES, measured)}`);
    await writeLast(measured);
  }
  const busy = Math.max(
    ...measured.flatMap(({ results }) => CASES.map(({ name }) => results[name]?.busy ?? 0)),
  );
  console.log(`\nThe sender of requests used ${Math.round(busy * 100)} % of its core at most.`);
  return verdict([...faults, ...missed(CASES, measured)]);
}

/**
 * Less than a minute of what a busy machine can tell too: ratios of CPU, beside those of the last full run, for whoever
 * reads them. Fails by what does not depend on the machine: statements and plans.
 */
async function quick(): Promise<boolean> {
  const last = await readLast();
  const cases = cpuIsKnown ? CASES.filter(({ target }) => target) : [];
  const { measured, faults } = await run([EVEN], cases, QUICK, () => undefined);
  if (cpuIsKnown) console.log(`${quickTable(cases, measured, last)}`);
  return verdict(faults);
}

function verdict(faults: readonly string[]): boolean {
  console.log(
    faults.length ? `\nAt fault:\n\n${faults.map((one) => `- ${one}`).join('\n')}` : '\nAll is well.',
  );
  return faults.length === 0;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false } },
});
if (!cpuIsKnown) console.log('The operating system does not tell what processes use: no figures of CPU.\n');
process.exitCode = (await (values.quick ? quick() : full(positionals))) ? 0 : 1;
