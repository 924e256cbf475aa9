import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  DevicePartitionsRepository,
  POINTS,
} from '../../src/modules/devices/device-state/device-partitions.repository.js';
import { createDataSource } from '../../src/platform/database/data-source.js';
import { Database } from '../../src/platform/database/database.js';
import { Client } from '../client.js';
import { Random } from '../random.js';
import { Stage } from '../stage.js';
import { table } from '../table.js';
import { ArchiveKinds, daysOfPoints } from './archive-kinds.js';
import { ArchiveStore } from './archive-store.js';
import { OutcomeListener, jobOf, type RequestedJob, type JobKind } from './requested-job.js';
import { FaultInjector, type Done } from './fault-injector.js';
import { bulkKinds } from './bulk-kinds.js';
import { BundleKinds, makeSource } from './bundle-kinds.js';
import { Field } from './field.js';
import { leftovers } from './leftovers.js';
import { moduleKinds } from './module-kinds.js';
import { Receiver } from './receiver.js';
import { Repository } from './repository.js';
import { RepositoryKinds } from './repository-kinds.js';
import { verdict, type Found } from './verdict.js';
import { Watcher } from './watcher.js';

// Kills and hangs workers at random points of exports, imports, clones, commits, archives and bulk operations on
// devices, empties Redis and restarts PostgreSQL. Checks that all work ended, took effect once, and left nothing
// behind.
const CONCURRENCY = 5;
const POLL_INTERVAL_MS = 50;

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '100' }, seed: { type: 'string' } },
});
const kills = Number(values.kills);
const seed = Number(values.seed ?? randomInt(2 ** 31));
if (!(kills > 0) || !Number.isInteger(seed)) throw new Error('--kills and --seed must be numbers');

/** Requests the kinds of work in turn until `signal`, and waits for each to end before the next. */
async function requestUntil(
  signal: AbortSignal,
  kinds: Iterator<JobKind>,
  watcher: Watcher,
  asked: RequestedJob[],
): Promise<void> {
  while (!signal.aborted) {
    const { value: kind } = kinds.next() as { value: JobKind };
    const one = await kind.ask();
    asked.push(one);
    const id = jobOf(one);
    while (id !== undefined && !signal.aborted && !watcher.hasEnded(id)) await sleep(POLL_INTERVAL_MS);
  }
}

function* inTurn(kinds: readonly JobKind[]): Generator<JobKind, never> {
  for (let turn = 0; ; turn++) yield kinds[turn % kinds.length]!;
}

/** Points of past days can only be stored if these days have partitions. */
async function preparePartitions(stage: Stage): Promise<void> {
  const dataSource = await createDataSource({ url: stage.databaseUrl, entities: [] }).initialize();
  await new DevicePartitionsRepository(new Database(dataSource)).createMissing(POINTS, daysOfPoints());
  await dataSource.destroy();
}

function printLine(done: Done, found: readonly Found[]): void {
  console.log(`\n${table(['killed', 'times'], [...done.killed])}\n`);
  console.log(`Workers were hung ${done.hung} times, and Redis was emptied ${done.emptied} times.\n`);
  console.log(`${table(['in progress when a worker was killed or hung', 'times'], [...done.struck])}\n`);
  const rows = found.map((of) => [
    of.kind,
    of.asked,
    of.completed,
    of.failed,
    of.unknown,
    of.repeated,
    of.lost,
    of.doubled,
  ]);
  const head = ['', 'asked', 'completed', 'failed', 'unknown', 'begun again', 'lost', 'doubled'];
  console.log(table(head, rows));
}

async function run(): Promise<string[]> {
  const wrong: string[] = [];
  const say = (sentence: string) => void wrong.push(sentence);
  const receiver = new Receiver();
  const store = new ArchiveStore();
  const repository = await Repository.start();
  const origin = await receiver.start();
  const env = {
    CALLBACK_ORIGINS: origin,
    ARCHIVE_S3_ENDPOINT: await store.start(),
    GIT_ORIGINS: repository.origin,
    EXPORT_INTERVAL: '0',
    SMALL_APPLICATION: '100000',
    // Other work keeps the processors busy.
    COMPILE_TIMEOUT: '600',
  };
  const stage = await Stage.start(say, { workers: 3, env });
  try {
    const field = new Field(stage, new Client(stage.urls, await stage.signIn()), store, repository);
    await preparePartitions(stage);
    const listening = new OutcomeListener(origin);
    const source = await makeSource(field);
    const bundles = new BundleKinds(field, source, listening);
    const repositories = await RepositoryKinds.make(field, source.bundle, listening);
    // Compiling takes longest, so the first kill interrupts it.
    const kinds = [
      ...moduleKinds(field, listening),
      ...bundles.all,
      ...repositories.all,
      ...new ArchiveKinds(field).all,
      ...bulkKinds(field, listening),
    ];
    const watcher = new Watcher(stage);
    watcher.start();
    const asked: RequestedJob[] = [];
    // Runs one of each kind undisturbed first.
    await Promise.all(kinds.map((kind) => requestUndisturbed(kind, watcher, asked)));
    const began = Date.now();
    const storm = new AbortController();
    const turns = inTurn(kinds);
    const hands = Array.from({ length: CONCURRENCY }, () =>
      requestUntil(storm.signal, turns, watcher, asked),
    );
    const assault = new FaultInjector(stage, watcher, new Random(seed));
    await assault.run(kills);
    storm.abort();
    await Promise.all(hands);
    const seconds = ((Date.now() - began) / 1000).toFixed(0);
    const left = await stage.settle();
    if (left) say(`Jobs that do not end: ${left}`);
    await watcher.stop();
    await watcher.look();
    watcher.wrong.forEach(say);
    const remains = { job: (id: string) => watcher.jobs.get(id), mailbox: stage.mailbox, receiver };
    const found = await verdict(asked, remains, say);
    (await leftovers(stage)).forEach(say);
    const problems = await repository.problems();
    if (problems) say(`The repository: ${problems}`);
    printLine(assault.done, found);
    console.log(`\nThe kills took ${seconds} seconds.`);
    for (const { kind, completed, lost, doubled } of found) {
      if (lost || doubled) say(`${kind}: ${lost} lost, ${doubled} duplicated`);
      if (completed === 0) say(`${kind}: none was completed`);
    }
    if (wrong.length) say(`Logs are in ${stage.dataDir}`);
    return wrong;
  } finally {
    await stage.stop({ keep: wrong.length > 0 });
    receiver.stop();
    store.stop();
    await repository.stop();
  }
}

async function requestUndisturbed(kind: JobKind, watcher: Watcher, asked: RequestedJob[]): Promise<void> {
  const one = await kind.ask();
  asked.push(one);
  const id = jobOf(one);
  if (id === undefined && one.answer.outcome !== 'done')
    throw new Error(`${kind.name}: ${one.answer.status} ${JSON.stringify(one.answer.body)}`);
  while (id !== undefined && !watcher.hasEnded(id)) await sleep(POLL_INTERVAL_MS);
}

console.log(
  `# Faults of long-running work\n\n${kills} kills of workers, seed ${seed}, Node ${process.version}.`,
);
const wrong = await run();
console.log(
  wrong.length ? `\nFailed checks:\n\n${wrong.map((one) => `- ${one}`).join('\n')}` : '\nAll checks passed.',
);
process.exitCode = wrong.length ? 1 : 0;
