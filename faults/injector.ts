import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from './random.js';
import { hang, type Target } from './targets.js';

/** Range of the pauses between two faults. */
const BETWEEN_MS = [400, 2_000] as const;
/** With more concurrent faults, the platform would accept no work that could be lost. */
const MAX_CONCURRENT = 2;
const HANG_MS = [300, 4_000] as const;

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

const KINDS = ['kills', 'hangs'] as const;

/**
 * Kills and hangs targets in random order until `isOver` holds for the number of kills, with pauses of `betweenMs` and at
 * most two concurrently. Each target is killed and hung before any is so again, as often as it is listed. Resolves when
 * all targets serve requests again.
 */
export async function inject(
  targets: readonly Target[],
  random: Random,
  isOver: (kills: number) => boolean,
  betweenMs: readonly [min: number, max: number] = BETWEEN_MS,
): Promise<Map<Target, Injected>> {
  const injected = new Map(targets.map((target) => [target, { kills: 0, hangs: 0, faults: [] as Fault[] }]));
  const busy = new Map<Target, Promise<void>>();
  /** Faults of this round that are still to come. */
  let due: { readonly target: Target; readonly kind: (typeof KINDS)[number] }[] = [];
  let kills = 0;
  while (!isOver(kills)) {
    await sleep(random.between(...betweenMs));
    if (busy.size === MAX_CONCURRENT) continue;
    if (due.length === 0) due = targets.flatMap((target) => KINDS.map((kind) => ({ target, kind })));
    const free = due.filter(({ target }) => !busy.has(target));
    if (free.length === 0) continue;
    const next = random.oneOf(free);
    due = due.filter((fault) => fault !== next);
    const { target, kind } = next;
    const counted = injected.get(target)!;
    const from = Date.now();
    counted[kind]++;
    if (kind === 'kills') kills++;
    const fault = kind === 'kills' ? target.kill() : hang(target, random.between(...HANG_MS));
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
