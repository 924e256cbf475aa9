import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { cpuOf } from './cpu.js';
import { Databases, withClient, type Field } from './databases.js';
import { LoadGenerator } from './load-generator.js';
import type { LoadResult } from './load.js';
import { launchServer, type RunningServer } from './processes.js';
import { EVEN } from './shapes.js';
import { durable } from './run-durable.js';
import { drained, median, waiting } from './run-field.js';
import { timers } from './timers.js';

// Measures runs of workflows next to a bare server with as durable an inbox: CPU time per run, without HTTP and from a webhook, p99 of replies at half load, p99 of replies while another application has 20,000 runs waiting, and lateness of timers.
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    timers: { type: 'string', default: '100000' },
  },
});
const SECONDS = Number(values.seconds);
const ROUNDS = Number(values.rounds);
const CONNECTIONS = 32;
const NOISY_RUNS = 20_000;
/** Webhooks of each tenant that receive requests. */
const WEBHOOKS = 12;
/** Requests per second of the applications whose replies are measured beside a noisy one. */
const QUIET_RATE = 100;
const BODY = { temp: 23.5, name: 'P-17', tags: ['a', 'b'] };

const REPLY_NODES = [
  {
    id: 'log',
    type: 'MutateNode',
    config: { rules: [{ type: 'set', destination: 'working.hot', valueTemplate: '{{data.body.temp}}' }] },
    outputIds: [['reply']],
  },
  {
    id: 'reply',
    type: 'WebhookReplyNode',
    config: {
      responseCodeTemplate: '200',
      bodyTemplateType: 'string',
      bodyTemplate: '{"temp":{{working.hot}}}',
    },
    outputIds: [[]],
  },
];
/** A loop of 200 rounds, some milliseconds of work for each run. */
const NOISY_NODES = [
  {
    id: 'log',
    type: 'LoopNode',
    config: { loopSourcePath: 'data.rounds', currentItemPath: 'working.item' },
    outputIds: [[], ['work']],
  },
  {
    id: 'work',
    type: 'MathNode',
    config: { statements: [{ resultPath: 'working.sum', expression: '1 + 2 * 3' }] },
    meta: { groupId: 'log' },
    outputIds: [['next']],
  },
  { id: 'next', type: 'LoopCapNode', config: { loopNodeId: 'log' }, meta: { groupId: 'log' } },
];
/** As if a sender had caused them: an application may have this many waiting. $6 is the round. */
const WAIT = `WITH payload AS (INSERT INTO flow_run_payloads (id, application_id, trigger)
    SELECT 'ff' || left(md5($1 || $6), 22), $1, json_build_object('type', 'webhook', 'key', $2::text, 'data', '{"rounds":200}'::json) RETURNING id)
  INSERT INTO run_inbox (lane, id, application_id, flow_id, payload_id, requested_at)
  SELECT $3, 'ff' || left(md5($1 || $6 || i), 22), $1, $4, payload.id, now() FROM payload, generate_series(1, $5::int) i`;

const post = (path: string): string => {
  const body = JSON.stringify(BODY);
  return [
    `POST ${path} HTTP/1.1`,
    'host: bench',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
};

interface Arena {
  field: Field;
  load: LoadGenerator;
  platform: RunningServer;
  bare: RunningServer;
}

interface Side {
  name: string;
  server: RunningServer;
  requests: string[];
  inbox: string;
}

/** Sends load, waits until its runs have ended, and returns the CPU microseconds per run of server and PostgreSQL. */
async function runsOf(
  { field, load }: Arena,
  { server, requests, inbox }: Side,
): Promise<[number, LoadResult]> {
  const pids = [server.child.pid, field.postgresPid];
  const before = pids.map((pid) => cpuOf(pid) ?? 0);
  const result = await load.send({
    port: server.port,
    connections: CONNECTIONS,
    seconds: SECONDS,
    requests,
    once: false,
  });
  await drained(field, inbox);
  const used = pids.map((pid, i) => (cpuOf(pid) ?? 0) - before[i]!);
  return [(used[0]! + used[1]!) / result.answers, result];
}

async function overHttp(arena: Arena, webhooks: string[]): Promise<void> {
  const sides: Side[] = [
    {
      name: 'platform',
      server: arena.platform,
      requests: webhooks.map((token) => post(`/webhooks/${token}`)),
      inbox: 'run_inbox',
    },
    { name: 'bare', server: arena.bare, requests: [post('/batch')], inbox: 'bare_inbox' },
  ];
  const figures = new Map<string, { cpu: number[]; rate: number[] }>();
  for (let round = 0; round <= ROUNDS; round++)
    for (const side of sides) {
      const [cpu, { answers, seconds }] = await runsOf(arena, side);
      // The first round warms up.
      if (round === 0) continue;
      const one = figures.get(side.name) ?? { cpu: [], rate: [] };
      one.cpu.push(cpu);
      one.rate.push(answers / seconds);
      figures.set(side.name, one);
    }
  const [ours, theirs] = sides.map(({ name }) => figures.get(name)!);
  const [cpu, bareCpu] = [median(ours!.cpu), median(theirs!.cpu)];
  console.log(
    '\n| webhook to finished run, with HTTP | platform | bare | ratio |\n| --- | ---: | ---: | ---: |',
  );
  console.log(
    `| µs of CPU, with PostgreSQL | ${cpu.toFixed(0)} | ${bareCpu.toFixed(0)} | ${(cpu / bareCpu).toFixed(2)} |`,
  );
  const [rate, bareRate] = [median(ours!.rate), median(theirs!.rate)];
  console.log(
    `| accepted per second | ${rate.toFixed(0)} | ${bareRate.toFixed(0)} | ${(rate / bareRate).toFixed(2)} |`,
  );
}

/** Sends requests at half of the rate that the server reaches, and returns the p99 in milliseconds. */
async function halfLoad(
  { load }: Arena,
  { port }: RunningServer,
  requests: string[],
): Promise<{ rate: number; p99: number }> {
  const full = { port, connections: CONNECTIONS, seconds: SECONDS, requests, once: false };
  await load.send(full);
  const { answers, seconds } = await load.send(full);
  const rate = answers / seconds / 2;
  const all: number[] = [];
  for (let round = 0; round < ROUNDS; round++) all.push((await load.send({ ...full, rate })).p99);
  return { rate, p99: median(all) };
}

async function replies(arena: Arena, webhooks: string[]): Promise<void> {
  const requests = webhooks.map((token) => post(`/webhooks/${token}`));
  const ours = await halfLoad(arena, arena.platform, requests);
  await drained(arena.field, 'run_inbox');
  const theirs = await halfLoad(arena, arena.bare, [post('/insert')]);
  console.log(
    '\n| reply of a webhook at half load | platform | bare insert | ratio |\n| --- | ---: | ---: | ---: |',
  );
  console.log(
    `| p99 in ms | ${ours.p99.toFixed(2)} | ${theirs.p99.toFixed(2)} | ${(ours.p99 / theirs.p99).toFixed(2)} |`,
  );
  console.log(`| half of the rate | ${ours.rate.toFixed(0)} | ${theirs.rate.toFixed(0)} | |`);
}

async function noisy({ field, load, platform }: Arena, webhooks: string[], flow: NoisyFlow): Promise<void> {
  const requests = webhooks.map((token) => post(`/webhooks/${token}`));
  const quiet = {
    port: platform.port,
    connections: 8,
    seconds: SECONDS,
    requests,
    once: false,
    rate: QUIET_RATE,
  };
  const rounds: { alone: number; beside: number; left: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { p99: alone } = await load.send(quiet);
    const given = [flow.applicationId, flow.key, 0, flow.flowId, NOISY_RUNS, `/${round}/`];
    await change(field, WAIT, given);
    const { p99: beside } = await load.send(quiet);
    rounds.push({ alone, beside, left: await waiting(field, 'run_inbox') });
    await drained(field, 'run_inbox');
  }
  const of = (figure: (round: (typeof rounds)[number]) => number) => median(rounds.map(figure));
  const left = of((round) => round.left);
  const ratios = rounds.map(({ alone, beside }) => beside / alone);
  console.log(
    `\n| reply beside an application with ${NOISY_RUNS} runs waiting (${left} left) | alone | beside | ratio | worst round |\n| --- | ---: | ---: | ---: | ---: |`,
  );
  console.log(
    `| p99 in ms | ${of(({ alone }) => alone).toFixed(2)} | ${of(({ beside }) => beside).toFixed(2)} | ${median(ratios).toFixed(2)} | ${Math.max(...ratios).toFixed(2)} |`,
  );
}

interface NoisyFlow {
  applicationId: string;
  flowId: string;
  key: string;
}

/** Changes rows of the platform without its API. */
const change = (field: Field, sql: string, given: unknown[]): Promise<unknown> =>
  withClient(field.env.DATABASE_URL!, (client) => client.query(sql, given));

async function bench(field: Field, load: LoadGenerator): Promise<void> {
  const env = { ...field.env, PROCESS_ROLE: 'all' };
  await durable(field, SECONDS, ROUNDS);
  const start = () => launchServer('../src/main.js', env, '/health');
  const bare = await launchServer('./bare-runs.js', field.env, '/health');
  const arena = { field, load, platform: await start(), bare };
  // Each webhook accepts ten requests per second.
  const [noisyTenant, ...others] = field.tenants;
  const tokensOf = (tenants: Field['tenants']) =>
    tenants.flatMap(({ webhookTokens }) => webhookTokens.slice(0, WEBHOOKS));
  const tokens = tokensOf(field.tenants);
  try {
    await overHttp(arena, tokens);
    // Only the API announces changes.
    await arena.platform.stop();
    await change(field, `UPDATE flows SET nodes = $1 WHERE triggers->0->>'type' = 'webhook'`, [
      JSON.stringify(REPLY_NODES),
    ]);
    await change(field, 'UPDATE webhooks SET wait_for_reply = true', []);
    arena.platform = await start();
    await sleep(2_000);
    await replies(arena, tokens);
    const applicationId = noisyTenant!.applications[0]!;
    const [flow] = await withClient(
      field.env.DATABASE_URL!,
      async (client) =>
        (
          await client.query<{ id: string; key: string }>(
            `UPDATE flows SET nodes = $2 WHERE id = (SELECT id FROM flows WHERE application_id = $1 AND triggers->0->>'type' = 'webhook' LIMIT 1)
         RETURNING id, triggers->0->>'key' AS key`,
            [applicationId, JSON.stringify(NOISY_NODES)],
          )
        ).rows,
    );
    await noisy(arena, tokensOf(others), { applicationId, flowId: flow!.id, key: flow!.key });
    await timers(field, Number(values.timers));
  } finally {
    await bare.stop();
    await arena.platform.stop();
  }
}

const load = LoadGenerator.start();
const databases = await Databases.start();
try {
  await bench(await databases.fill(EVEN, 'user'), load);
} finally {
  load.stop();
  await databases.stop();
}
