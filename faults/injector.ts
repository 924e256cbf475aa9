import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from './random.js';
import { hang, type Target } from './targets.js';

const BETWEEN_MS = [400, 2_000] as const;
/** With more concurrent faults, the platform would accept no work that could be lost. */
const MAX_CONCURRENT = 2;
const HANG_MS = [300, 4_000] as const;

/** Number of times a target was killed and hung. */
export interface Injected {
  kills: number;
  hangs: number;
}

const KINDS = ['kills', 'hangs'] as const;

/**
 * Kills and hangs targets in random order until `end`, about one per second and at most two concurrently. Each target is
 * killed and hung before any is so again. Resolves when all targets serve requests again.
 */
export async function inject(
  targets: readonly Target[],
  random: Random,
  end: number,
): Promise<Map<Target, Injected>> {
  const injected = new Map(targets.map((target) => [target, { kills: 0, hangs: 0 }]));
  const busy = new Map<Target, Promise<void>>();
  /** Faults of this round that are still to come. */
  let due: { readonly target: Target; readonly kind: (typeof KINDS)[number] }[] = [];
  while (Date.now() < end) {
    await sleep(random.between(...BETWEEN_MS));
    if (busy.size === MAX_CONCURRENT) continue;
    if (due.length === 0) due = targets.flatMap((target) => KINDS.map((kind) => ({ target, kind })));
    const free = due.filter(({ target }) => !busy.has(target));
    if (free.length === 0) continue;
    const next = random.oneOf(free);
    due = due.filter((fault) => fault !== next);
    const { target, kind } = next;
    injected.get(target)![kind]++;
    const fault = kind === 'kills' ? target.kill() : hang(target, random.between(...HANG_MS));
    busy.set(
      target,
      fault.finally(() => busy.delete(target)),
    );
  }
  await Promise.all(busy.values());
  return injected;
}
