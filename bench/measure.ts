import { wire, type Case } from './cases.js';
import { cpuOf } from './cpu.js';
import type { Field } from './databases.js';
import type { LoadGenerator } from './load-generator.js';
import type { RunningServer } from './processes.js';

const CONNECTIONS = 32;
/** Number of distinct requests; they are sent repeatedly. */
const REQUESTS = 4_000;
const WARM_UP_SECONDS = 0.5;
/** A list of 100 takes some five seconds for 3,000 requests, a sign-in half a minute. */
const MAX_WARM_UPS = 10;
/** More than a server can handle in a second; each token is signed for one request. */
const NEW_TOKENS_A_SECOND = 4_000;

/** Results of one server. */
export interface Figures {
  rate: number;
  p99: number;
  /**
   * CPU microseconds per request, of the server and of PostgreSQL; unset if the operating system does not report them.
   */
  server?: number;
  postgres?: number;
}

/** Ratio of the platform to the bare server: above 1, the platform is better. */
export interface Ratio {
  rate: number;
  cpu?: number;
}

export interface Result {
  platform: Figures;
  bare?: Figures;
  ratio?: Ratio;
  /** Maximum share of its core that the load generator used. */
  busy: number;
}

export interface Pace {
  /** Number of requests of each case before it is measured. Node's compiler optimizes its code during the first thousands. */
  warmUp: number;
  seconds: number;
  rounds: number;
}

/** Servers on one database, and the load generator for them. */
export interface Arena {
  field: Field;
  load: LoadGenerator;
  platform: RunningServer;
  bare: RunningServer;
}

const sidesOf = ({ target }: Case) => (target ? (['platform', 'bare'] as const) : (['platform'] as const));

/** Sends at least a number of requests of a case without measuring them, unless they take too long. */
export async function warm(arena: Arena, one: Case, requests: number): Promise<void> {
  for (const side of sidesOf(one))
    for (let sent = 0, times = 0; sent < requests && times < MAX_WARM_UPS; times++)
      sent += (await run(arena, side, one, WARM_UP_SECONDS)).rate * WARM_UP_SECONDS;
}

/** Measures a case on the platform and, if it has a target ratio, alternately on the bare server. */
export async function measure(arena: Arena, one: Case, { warmUp, seconds, rounds }: Pace): Promise<Result> {
  const figures: Record<'platform' | 'bare', Figures[]> = { platform: [], bare: [] };
  let busy = 0;
  await warm(arena, one, warmUp);
  for (let round = 0; round < rounds; round++) {
    for (const side of sidesOf(one)) {
      const { busy: worked, ...rest } = await run(arena, side, one, seconds);
      figures[side].push(rest);
      busy = Math.max(busy, worked);
    }
  }
  const platform = mediansOf(figures.platform);
  if (!one.target) return { platform, busy };
  // The speed of the machine changes from minute to minute, so only consecutive measurements are compared.
  const ratios = figures.platform.map((figure, round) => ratioOf(figure, figures.bare[round]!));
  return { platform, bare: mediansOf(figures.bare), ratio: mediansOf(ratios), busy };
}

async function run(
  arena: Arena,
  side: 'platform' | 'bare',
  one: Case,
  seconds: number,
): Promise<Figures & { busy: number }> {
  const server = arena[side];
  const pids = [server.child.pid, arena.field.postgresPid];
  const load = {
    port: server.port,
    connections: one.connections ?? CONNECTIONS,
    seconds,
    requests: requestsOf(arena.field, one, side === 'bare', seconds),
    once: one.newToken ?? false,
  };
  const before = pids.map(cpuOf);
  const { answers, seconds: taken, p99, busy } = await arena.load.send(load);
  const [own, postgres] = pids.map((pid, i) => {
    const [from, to] = [before[i], cpuOf(pid)];
    return from === undefined || to === undefined ? undefined : (to - from) / answers;
  });
  return { rate: answers / taken, p99, server: own, postgres, busy };
}

/** Returns requests that cycle through the tenants. */
function requestsOf(field: Field, one: Case, toBare: boolean, seconds: number): string[] {
  const { tenants, ownedBy } = field;
  const count = one.newToken ? Math.ceil(seconds * NEW_TOKENS_A_SECOND) : REQUESTS;
  return Array.from({ length: count }, (_, i) => {
    const tenant = tenants[i % tenants.length]!;
    const turn = Math.floor(i / tenants.length);
    const token = one.newToken ? field.newToken(tenant) : tenant.token;
    return wire(one.request({ tenant, turn, ownedBy }), { token, toBare });
  });
}

const ratioOf = (platform: Figures, bare: Figures): Ratio => {
  const [ours, theirs] = [costOf(platform), costOf(bare)];
  return {
    rate: platform.rate / bare.rate,
    cpu: ours === undefined || theirs === undefined ? undefined : theirs / ours,
  };
};

/**
 * CPU microseconds per request of server and PostgreSQL together: shifting work from one to the other saves nothing.
 */
export const costOf = (figures: Figures | undefined): number | undefined =>
  figures?.server === undefined || figures.postgres === undefined
    ? undefined
    : figures.server + figures.postgres;

/** Returns the median of each known member. */
function mediansOf<T extends { rate: number }>(all: readonly T[]): T {
  const medians = { ...all[0]! };
  for (const name of Object.keys(medians) as (keyof T)[]) {
    const values = all.map((one) => one[name]).sort((a, b) => Number(a) - Number(b));
    medians[name] = values[Math.floor(values.length / 2)]!;
  }
  return medians;
}
