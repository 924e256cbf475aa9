import { parseArgs } from 'node:util';
import { CASES } from './cases.js';
import { cpuIsKnown } from './cpu.js';
import { Databases, type Field } from './databases.js';
import { LoadGenerator } from './load-generator.js';
import { measure, warm, type Pace, type Result } from './measure.js';
import { launchServer, pinned } from './processes.js';
import { growthTable, LEGEND, misses, shapeTable, type Measured, type Results } from './report.js';
import { OWNED_BY, SHAPES } from './shapes.js';

// Measures the platform beside a bare server: rates, p99 and CPU, in several shapes of data. Rates differ from machine to
// machine and hour to hour; ratios of one run can be compared, and those of CPU hold on a busy machine too.
const PACE: Pace = {
  warmUp: 1,
  seconds: Number(process.env.BENCH_SECONDS ?? '2'),
  rounds: Number(process.env.BENCH_ROUNDS ?? '3'),
};

const { positionals: names } = parseArgs({ allowPositionals: true });
const shapes = SHAPES.filter(({ name }) => names.length === 0 || names.includes(name));

/** Measures every case on servers of its own. */
async function measureAll(field: Field, load: LoadGenerator, pace: Pace): Promise<Results> {
  const platform = await launchServer('../src/main.js', { ...field.env, PROCESS_ROLE: 'all' }, '/health');
  const bare = await launchServer(
    './bare-server.js',
    field.env,
    `/applications/${field.tenants[0]!.applications[0]}`,
  );
  try {
    const arena = { field, load, platform, bare };
    // Both servers are compiled further while they answer their first thousands of requests, whatever these are.
    await warm(arena, CASES[0]!, 3 * pace.warmUp);
    const results: Record<string, Result> = {};
    for (const one of CASES) results[one.name] = await measure(arena, one, pace);
    return results;
  } finally {
    await Promise.all([platform.stop(), bare.stop()]);
  }
}

async function main(): Promise<boolean> {
  const databases = await Databases.start();
  const load = LoadGenerator.start();
  const measured: Measured[] = [];
  try {
    console.log(`# Benchmark\n\n${LEGEND}\n`);
    console.log(`Median of ${PACE.rounds} rounds of ${PACE.seconds} s each, Node ${process.version}.`);
    if (!pinned)
      console.log('Processes are not held on cores of their own here: figures of rates vary more.');
    if (!cpuIsKnown) console.log('The operating system does not tell what processes use: no figures of CPU.');
    for (const shape of shapes) {
      console.log(`\n## ${shape.name}\n\n${shape.about}.`);
      for (const ownedBy of OWNED_BY) {
        const field = await databases.fill(shape, ownedBy);
        const one = { shape, ownedBy, results: await measureAll(field, load, PACE) };
        measured.push(one);
        console.log(`\nApplications of ${ownedBy}s:\n\n${shapeTable(CASES, one)}`);
      }
    }
  } finally {
    load.stop();
    await databases.stop();
  }
  const missed = misses(CASES, measured);
  if (shapes === SHAPES) console.log(`\n## Growth\n\n${growthTable(CASES, measured)}`);
  console.log(
    missed.length ? `\nNot reached:\n\n${missed.map((one) => `- ${one}`).join('\n')}` : '\nAll is reached.',
  );
  return missed.length === 0;
}

process.exitCode = (await main()) ? 0 : 1;
