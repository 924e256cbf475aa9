import { once } from 'node:events';
import type { Ask, Asked } from './askers.js';
import { cpuOf } from './cpu.js';
import type { Field } from './databases.js';
import { launch, type Child } from './processes.js';
import { drained, median } from './run-field.js';

const ASKERS = 64;

/** A process that serves asks, and the table in which its runs wait. */
interface Asker {
  name: 'platform' | 'bare';
  child: Child;
  inbox: string;
}

async function start(
  name: Asker['name'],
  file: string,
  inbox: string,
  env: NodeJS.ProcessEnv,
): Promise<Asker> {
  const child = launch(file, { core: 0, env, flags: ['--max-semi-space-size=64'] });
  await once(child, 'message');
  return { name, child, inbox };
}

async function ask({ child }: Asker, asked: Ask): Promise<Asked> {
  child.send(asked);
  const [result] = (await once(child, 'message')) as [Asked | { failure: string }];
  if ('failure' in result) throw new Error(result.failure);
  return result;
}

/** Returns the CPU microseconds of a run, in its process and PostgreSQL, and the rate. Includes the end of all runs. */
async function measure(
  field: Field,
  asker: Asker,
  seconds: number,
): Promise<{ cpu: number[]; rate: number }> {
  const pids = [asker.child.pid, field.postgresPid];
  const before = pids.map((pid) => cpuOf(pid) ?? 0);
  const { runs, seconds: taken } = await ask(asker, { askers: ASKERS, seconds });
  await drained(field, asker.inbox);
  return { cpu: pids.map((pid, i) => ((cpuOf(pid) ?? 0) - before[i]!) / runs), rate: runs / taken };
}

/** Compares the cost of a run from its request to its end, without HTTP, with that of the bare statements. */
export async function durable(field: Field, seconds: number, rounds: number): Promise<void> {
  const asked = field.tenants.map(({ applications, webhookTokens }) => ({
    applicationId: applications[0],
    webhookId: webhookTokens[0]!.replace(/^token-/, ''),
  }));
  const env = { ...field.env, PROCESS_ROLE: 'all', ASKED: JSON.stringify(asked) };
  const askers = [
    await start('platform', './run-askers.js', 'run_inbox', env),
    await start('bare', './bare-runs.js', 'bare_inbox', { ...field.env, PORT: '0' }),
  ];
  try {
    const results: Record<Asker['name'], Awaited<ReturnType<typeof measure>>[]> = { platform: [], bare: [] };
    for (let round = 0; round <= rounds; round++)
      for (const asker of askers) {
        const result = await measure(field, asker, seconds);
        // The first round warms up.
        if (round > 0) results[asker.name].push(result);
      }
    const row = (title: string, of: (result: Awaited<ReturnType<typeof measure>>) => number) => {
      const [ours, theirs] = [median(results.platform.map(of)), median(results.bare.map(of))];
      console.log(`| ${title} | ${ours.toFixed(0)} | ${theirs.toFixed(0)} | ${(ours / theirs).toFixed(2)} |`);
    };
    console.log('| durable run, without HTTP | platform | bare | ratio |\n| --- | ---: | ---: | ---: |');
    row('µs of CPU', ({ cpu: [node, postgres] }) => node! + postgres!);
    row('of which Node.js', ({ cpu: [node] }) => node!);
    row('of which PostgreSQL', ({ cpu: [, postgres] }) => postgres!);
    row('runs per second', ({ rate }) => rate);
  } finally {
    for (const { child } of askers) {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    }
  }
}
