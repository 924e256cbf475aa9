import { wire, type Case } from './cases.js';
import { cpuOf } from './cpu.js';
import type { Field } from './databases.js';
import type { LoadGenerator } from './load-generator.js';
import type { RunningServer } from './processes.js';

const CONNECTIONS = 32;
/** As many different requests are sent, again and again. */
const REQUESTS = 4_000;
/** More than a second can take; each is signed for one request. */
const NEW_TOKENS_A_SECOND = 4_000;

/** What one server did. */
export interface Figures {
  rate: number;
  p99: number;
  /** CPU microseconds a request, of the server and of PostgreSQL; absent where the operating system does not tell. */
  server?: number;
  postgres?: number;
}

/** The platform beside the bare server: above 1, the platform is the better one. */
export interface Ratio {
  rate: number;
  cpu?: number;
}

export interface Result {
  platform: Figures;
  bare?: Figures;
  ratio?: Ratio;
  /** The most that the generator of load had to work, as a share of its core. */
  busy: number;
}

export interface Pace {
  warmUp: number;
  seconds: number;
  rounds: number;
}

/** Servers on one database, and the load for them. */
export interface Arena {
  field: Field;
  load: LoadGenerator;
  platform: RunningServer;
  bare: RunningServer;
}

const sidesOf = ({ target }: Case) => (target ? (['platform', 'bare'] as const) : (['platform'] as const));

/** Sends the requests of a case without looking at what they cost. */
export async function warm(arena: Arena, one: Case, seconds: number): Promise<void> {
  for (const side of sidesOf(one)) await run(arena, side, one, seconds);
}

/** Measures a case on the platform and, where it is to reach a ratio, on the bare server, in turn. */
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
  // The machine's own speed changes from minute to minute: only what was measured one after the other is compared.
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

/** Requests about each tenant in turn. */
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

/** CPU microseconds a request, the server's and PostgreSQL's together: work that moves from one to the other is not saved. */
export const costOf = (figures: Figures | undefined): number | undefined =>
  figures?.server === undefined || figures.postgres === undefined
    ? undefined
    : figures.server + figures.postgres;

/** The median of each member that is known. */
function mediansOf<T extends { rate: number }>(all: readonly T[]): T {
  const medians = { ...all[0]! };
  for (const name of Object.keys(medians) as (keyof T)[]) {
    const values = all.map((one) => one[name]).sort((a, b) => Number(a) - Number(b));
    medians[name] = values[Math.floor(values.length / 2)]!;
  }
  return medians;
}
