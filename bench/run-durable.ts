import { Redis } from 'ioredis';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ask, Asked } from './askers.js';
import { cpuOf } from './cpu.js';
import type { Field } from './databases.js';
import { launch, messageOf, type Child } from './processes.js';
import { drained, median } from './run-field.js';

const ASKERS = 64;

const NAMES = ['platform', 'bare', 'bull'] as const;

/** A process that serves asks. */
interface Asker {
  name: (typeof NAMES)[number];
  child: Child;
  /** Process of the database of its runs. */
  databasePid: number;
  /** Waits until every requested run has ended. */
  drained(): Promise<void>;
}

async function start(file: string, env: NodeJS.ProcessEnv): Promise<Child> {
  const child = launch(file, { core: 0, env });
  await messageOf(child);
  return child;
}

/** Starts the platform, the bare statements and a queue of Bull. */
async function startAll(field: Field, redis: Redis): Promise<Asker[]> {
  const asked = field.tenants.map(({ applications, webhookTokens }) => ({
    applicationId: applications[0],
    webhookId: webhookTokens[0]!.replace(/^token-/, ''),
  }));
  const platform = { ...field.env, PROCESS_ROLE: 'all', ASKED: JSON.stringify(asked) };
  const redisPid = Number(/process_id:(\d+)/.exec(await redis.info('server'))![1]);
  const bullDrained = async (): Promise<void> => {
    while ((await redis.llen('bull:bench:wait')) + (await redis.llen('bull:bench:active')) > 0)
      await sleep(20);
  };
  return [
    {
      name: 'platform',
      child: await start('./run-askers.js', platform),
      databasePid: field.postgresPid,
      drained: () => drained(field, 'run_inbox'),
    },
    {
      name: 'bare',
      child: await start('./bare-runs.js', { ...field.env, PORT: '0' }),
      databasePid: field.postgresPid,
      drained: () => drained(field, 'bare_inbox'),
    },
    {
      name: 'bull',
      child: await start('./bull-runs.js', field.env),
      databasePid: redisPid,
      drained: bullDrained,
    },
  ];
}

async function ask({ child }: Asker, asked: Ask): Promise<Asked> {
  child.send(asked);
  const result = await messageOf<Asked | { failure: string }>(child);
  if ('failure' in result) throw new Error(result.failure);
  return result;
}

interface Measured {
  /** CPU microseconds of a run, in Node.js and in the database, with its end. */
  cpu: [node: number, database: number];
  rate: number;
}

async function measure(asker: Asker, seconds: number): Promise<Measured> {
  const cpu = () => [cpuOf(asker.child.pid) ?? 0, cpuOf(asker.databasePid) ?? 0] as const;
  const before = cpu();
  const { runs, seconds: taken } = await ask(asker, { askers: ASKERS, seconds });
  await asker.drained();
  const after = cpu();
  return { cpu: [(after[0] - before[0]) / runs, (after[1] - before[1]) / runs], rate: runs / taken };
}

/**
 * Compares the cost of a run from its request to its end, without HTTP, with that of the bare statements and of a queue of
 * Bull.
 */
export async function durable(field: Field, seconds: number, rounds: number): Promise<void> {
  const redis = new Redis(field.env.REDIS_URL!);
  const askers = await startAll(field, redis);
  try {
    const results: Record<Asker['name'], Measured[]> = { platform: [], bare: [], bull: [] };
    for (let round = 0; round <= rounds; round++)
      for (const asker of askers) {
        const result = await measure(asker, seconds);
        // The first round warms up.
        if (round > 0) results[asker.name].push(result);
      }
    const row = (title: string, of: (result: Measured) => number) => {
      const [ours, bare, bull] = NAMES.map((name) => median(results[name].map(of)));
      const ratios = [ours! / bare!, ours! / bull!].map((ratio) => ratio.toFixed(2));
      console.log(`| ${[title, ...[ours, bare, bull].map((n) => n!.toFixed(0)), ...ratios].join(' | ')} |`);
    };
    console.log('| durable run, without HTTP | platform | bare | Bull | to bare | to Bull |');
    console.log('| --- | ---: | ---: | ---: | ---: | ---: |');
    row('µs of CPU', ({ cpu: [node, database] }) => node + database);
    row('of which Node.js', ({ cpu: [node] }) => node);
    row('of which PostgreSQL or Redis', ({ cpu: [, database] }) => database);
    row('runs per second', ({ rate }) => rate);
  } finally {
    redis.disconnect();
    for (const { child } of askers) {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
  }
}
