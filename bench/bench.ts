import autocannon from 'autocannon';
import { setUp, type Field, type Owner } from './setup.js';

// Measures the platform beside a bare server in one run: requests per second, p99, and the ratio of the two. Rates
// differ from machine to machine and hour to hour; ratios of one run can be compared.
const CONNECTIONS = 32;
const SECONDS = Number(process.env.BENCH_SECONDS ?? '5');
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? '3');

interface Case {
  name: string;
  /** The ratio to reach; none for what the bare server does not do. */
  target?: number;
  connections?: number;
  request(owner: Owner): {
    method: 'GET' | 'POST' | 'PATCH';
    path: string;
    bare?: string;
    body?: string;
    /** In place of the owner's token, which was seen a moment ago. */
    token?: string;
  };
}

const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)]!;
const body = (value: object) => JSON.stringify(value);

const casesOf = ({ password, freshToken, owners: [first] }: Field): Case[] => [
  {
    name: 'sign-in',
    connections: 4,
    request: ({ email }) => ({ method: 'POST', path: '/auth/user', body: body({ email, password }) }),
  },
  {
    name: 'list of 100',
    target: 0.8,
    request: ({ id }) => ({ method: 'GET', path: '/applications', bare: `/applications?ownerId=${id}` }),
  },
  {
    name: 'list of 100 of 10,000 workflows',
    request: () => ({
      method: 'GET',
      path: `/applications/${first!.applications[0]}/flows`,
      token: first!.token,
    }),
  },
  {
    name: 'get',
    target: 0.5,
    request: ({ applications }) => ({ method: 'GET', path: `/applications/${pick(applications)}` }),
  },
  // What is allowed is decided by the guard here, from memory: the token and the application were seen a moment ago.
  {
    name: 'get, guarded',
    request: ({ applications }) => ({ method: 'GET', path: `/applications/${pick(applications)}/readme` }),
  },
  // The same with a token that was never seen: verified, and its user read with the application in one statement.
  {
    name: 'get, guarded, new token',
    request: (owner) => ({
      method: 'GET',
      path: `/applications/${pick(owner.applications)}/readme`,
      token: freshToken(owner),
    }),
  },
  {
    name: 'patch',
    target: 0.6,
    request: ({ applications }) => ({
      method: 'PATCH',
      path: `/applications/${pick(applications)}`,
      body: body({ description: `Changed at ${Date.now()}` }),
    }),
  },
  {
    name: 'create',
    target: 0.6,
    request: ({ id }) => ({
      method: 'POST',
      path: '/applications',
      bare: `/applications?ownerId=${id}`,
      body: body({ name: 'Made by the benchmark', description: 'One more' }),
    }),
  },
];

interface Figures {
  rate: number;
  p99: number;
}

async function measure(
  field: Field,
  { request, connections = CONNECTIONS }: Case,
  bare: boolean,
  seconds: number,
): Promise<Figures> {
  const result = await autocannon({
    url: bare ? field.bare : field.platform,
    connections,
    duration: seconds,
    requests: [
      {
        setupRequest: (plain) => {
          const owner = pick(field.owners);
          const { method, path, bare: barePath, body: text, token = owner.token } = request(owner);
          const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
          return { ...plain, method, path: bare ? (barePath ?? path) : path, body: text, headers };
        },
      },
    ],
  });
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed > 0) throw new Error(`${failed} requests failed`);
  return { rate: result.requests.average, p99: result.latency.p99 };
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const medians = (runs: Figures[]): Figures => ({
  rate: median(runs.map(({ rate }) => rate)),
  p99: median(runs.map(({ p99 }) => p99)),
});

async function main(): Promise<boolean> {
  const field = await setUp();
  let reached = true;
  try {
    console.log(`${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s each, median\n`);
    console.log('| operation | requests/s | p99 ms | bare requests/s | bare p99 ms | ratio | to reach |');
    console.log('|---|---:|---:|---:|---:|---:|---:|');
    for (const one of casesOf(field)) {
      const [ours, bare]: [Figures[], Figures[]] = [[], []];
      await measure(field, one, false, 2);
      if (one.target) await measure(field, one, true, 2);
      for (let round = 0; round < ROUNDS; round++) {
        ours.push(await measure(field, one, false, SECONDS));
        if (one.target) bare.push(await measure(field, one, true, SECONDS));
      }
      const { rate, p99 } = medians(ours);
      if (!one.target) {
        console.log(`| ${one.name} | ${rate.toFixed(0)} | ${p99} | | | | |`);
        continue;
      }
      const beside = medians(bare);
      // The machine's own speed changes from minute to minute: only what was measured one after the other is compared.
      const ratio = median(ours.map((run, round) => run.rate / bare[round]!.rate));
      reached &&= ratio >= one.target;
      console.log(
        `| ${one.name} | ${rate.toFixed(0)} | ${p99} | ${beside.rate.toFixed(0)} | ${beside.p99} | ${ratio.toFixed(2)} | ${one.target} |`,
      );
    }
  } finally {
    await field.stop();
  }
  return reached;
}

process.exitCode = (await main()) ? 0 : 1;
