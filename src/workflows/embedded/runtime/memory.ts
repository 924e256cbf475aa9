import { total } from 'rt/tcms';

/** Minimum number of bytes in use before garbage is collected. */
const LEAST: usize = 32_768;

/**
 * Maximum number of bytes in use after a collection: a run that needs more fails before the host runs out of memory.
 */
const MOST: usize = 33_554_432;

/** Maximum number of bytes in use during a step, in which no garbage is collected. */
const MOST_IN_STEP: usize = 268_435_456;

/** Number of bytes in use that triggers the next collection. */
let limit: usize = LEAST;

/** Whether the step exceeded its memory limit, so that its results may be incomplete. */
let short: bool = false;

/**
 * Checks whether there is no room for this many bytes. If so, growing operations stop early, no output leaves the run,
 * and the run fails at the end of the step.
 */
export function isShort(bytes: usize = 0): bool {
  if (total + bytes > MOST_IN_STEP) short = true;
  return short;
}

/**
 * Collects garbage once memory use has doubled since the last collection. Everything still needed must be reachable
 * from a global: references on the WebAssembly stack do not count. Returns whether memory use is within limits.
 */
export function tidy(): bool {
  if (!short && total < limit) return true;
  const was = short;
  collect();
  return !was && total < MOST;
}

/** Collects garbage immediately. */
export function collect(): void {
  __collect();
  limit = max(LEAST, total << 1);
  short = false;
}
