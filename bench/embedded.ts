import { parseArgs } from 'node:util';
import type { CompileAnswer, CompileTask } from '../src/workflows/embedded/compile.thread.js';
import type { Bundle } from '../src/workflows/embedded/bundle.js';
import {
  optionsOf,
  type RequestedOptions,
} from '../src/modules/deployments/embedded-modules/module-metadata.js';
import { WorkQueue } from '../src/lib/processes/work-queue.js';
import { BenchHost } from './embedded-host.js';
import { looping, tenNodes } from './embedded-flows.js';

// Compiles workflows for devices as workers do, and runs the modules. Measures module size, compile time in a new and
// in a warm process, workflow runs per second, and the memory that a long loop takes.
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '10000000' }, runs: { type: 'string', default: '20000' } },
});
const ROUNDS = Number(values.rounds);
const RUNS = Number(values.runs);
/** Number of compilations in a warm process; their median is reported. */
const WARM = 5;
const KIB = 1024;
const MEBIBYTES_FOR_ALL = 4_096;

const compilers = new WorkQueue<CompileTask, CompileAnswer>({
  thread: new URL('../src/workflows/embedded/compile.thread.js', import.meta.url).href,
  timeoutMs: 300_000,
  memoryMb: MEBIBYTES_FOR_ALL,
  idleMs: 60_000,
  processes: 1,
  waitingPerOwner: 1,
});

async function compiled(
  bundle: Bundle,
  asked: RequestedOptions,
): Promise<{ module: Uint8Array; ms: number }> {
  const begin = performance.now();
  const answer = await compilers.run(
    { bundle, options: optionsOf(asked, 'fieldwright') },
    { ownerId: 'bench' },
  );
  if ('refused' in answer) throw new Error(answer.refused);
  return { module: answer.compiled.module, ms: performance.now() - begin };
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(2);
const kibibytes = (bytes: number): string => (bytes / KIB).toFixed(1);

async function sizes(): Promise<void> {
  const cold = await compiled(tenNodes, { exportMemory: true, disableDebugMessage: true });
  const warm: number[] = [];
  for (let i = 0; i < WARM; i++)
    warm.push((await compiled(tenNodes, { exportMemory: true, disableDebugMessage: true })).ms);
  const debug = await compiled(tenNodes, { exportMemory: true, traceLevel: 2 });
  const symbols = await compiled(tenNodes, { exportMemory: true, traceLevel: 2, debugSymbols: true });
  console.log('\nModule of ten nodes, KiB');
  console.log(`  debug messages off, traces off   ${kibibytes(cold.module.byteLength)}`);
  console.log(`  debug messages on, all traces    ${kibibytes(debug.module.byteLength)}`);
  console.log(`  the same with names              ${kibibytes(symbols.module.byteLength)}`);
  console.log('Compile time, seconds');
  console.log(`  in a new process                 ${seconds(cold.ms)}`);
  console.log(`  in a warm process (median)       ${seconds(warm.sort((a, b) => a - b)[WARM >> 1]!)}`);
}

/** Runs a workflow of ten nodes repeatedly, each time through its timer. */
async function runs(): Promise<void> {
  const { module } = await compiled(tenNodes, { exportMemory: true, disableDebugMessage: true });
  const host = new BenchHost(module);
  host.begin();
  for (let i = 0; i < RUNS / 10; i++) host.tick(1_000);
  const begin = performance.now();
  const ran = host.sent;
  for (let i = 0; i < RUNS; i++) host.tick(1_000);
  const ms = performance.now() - begin;
  console.log('\nRuns of ten nodes');
  console.log(`  a second                         ${Math.round((RUNS / ms) * 1_000)}`);
  console.log(`  messages sent                    ${host.sent - ran}`);
  console.log(`  memory at the end, KiB           ${kibibytes(host.bytes)}`);
}

/** Runs a workflow with a loop, and measures the memory of the module before and after. */
async function loops(): Promise<void> {
  const perRun = 1_000;
  const { module } = await compiled(looping(perRun), { exportMemory: true, disableDebugMessage: true });
  const host = new BenchHost(module);
  host.begin();
  host.tick(1_000);
  const before = host.bytes;
  const begin = performance.now();
  for (let done = 0; done < ROUNDS; done += perRun) host.tick(1_000);
  const ms = performance.now() - begin;
  console.log(`\n${ROUNDS.toLocaleString('en')} rounds of a loop, ${perRun} per run`);
  console.log(`  rounds per second                ${Math.round((ROUNDS / ms) * 1_000)}`);
  console.log(`  memory before and after, KiB     ${kibibytes(before)}, ${kibibytes(host.bytes)}`);
}

try {
  await sizes();
  await runs();
  await loops();
} finally {
  await compilers.stop();
}
