import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from './random.js';
import { hang, type Target } from './targets.js';

/** How many faults there are. */
export interface Pace {
  /** Shortest and longest time between two faults, in milliseconds. */
  readonly betweenMs: readonly [number, number];
  readonly hangMs: readonly [number, number];
  /** With many concurrent faults, the platform would accept no work that could be lost. */
  readonly maxConcurrent: number;
}

const USUAL: Pace = { betweenMs: [400, 2_000], hangMs: [300, 4_000], maxConcurrent: 2 };

/** Time in which a target did not work, in milliseconds since 1970. */
export interface Fault {
  readonly from: number;
  readonly to: number;
}

/** Number of times a target was killed and hung, and when. */
export interface Injected {
  kills: number;
  hangs: number;
  readonly faults: Fault[];
}

interface Due {
  readonly target: Target;
  readonly kind: 'hangs' | 'kills';
}

const killOf = (target: Target): Due => ({ target, kind: 'kills' });
const hangOf = (target: Target): Due => ({ target, kind: 'hangs' });

/**
 * Kills and hangs targets in random order until `isOver` holds for the number of kills. In each round, a target is hung
 * once, and killed as often as it occurs in `targets`. Resolves when all targets serve requests again.
 */
export async function inject(
  targets: readonly Target[],
  random: Random,
  isOver: (kills: number) => boolean,
  { betweenMs, hangMs, maxConcurrent }: Pace = USUAL,
): Promise<Map<Target, Injected>> {
  const injected = new Map(targets.map((target) => [target, { kills: 0, hangs: 0, faults: [] as Fault[] }]));
  const busy = new Map<Target, Promise<void>>();
  /** Faults of this round that are still to come. */
  let due: Due[] = [];
  let kills = 0;
  while (!isOver(kills)) {
    await sleep(random.between(...betweenMs));
    if (busy.size === maxConcurrent) continue;
    if (due.length === 0) due = [...targets.map(killOf), ...[...injected.keys()].map(hangOf)];
    const free = due.filter(({ target, kind }) => !busy.has(target) && (kind === 'hangs' || target.isRested));
    if (free.length === 0) continue;
    const next = random.oneOf(free);
    due = due.filter((fault) => fault !== next);
    const { target, kind } = next;
    const counted = injected.get(target)!;
    const from = Date.now();
    counted[kind]++;
    if (kind === 'kills') kills++;
    const fault = kind === 'kills' ? target.kill() : hang(target, random.between(...hangMs));
    busy.set(
      target,
      fault.finally(() => {
        counted.faults.push({ from, to: Date.now() });
        busy.delete(target);
      }),
    );
  }
  await Promise.all(busy.values());
  return injected;
}
