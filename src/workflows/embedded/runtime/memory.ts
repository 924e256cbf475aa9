import { total } from 'rt/tcms';

/** The fewest bytes whose garbage is worth collecting. */
const LEAST: usize = 32_768;

/** The most bytes that may be in use when garbage is gone: a run that needs more fails before the host runs out of memory. */
const MOST: usize = 33_554_432;

/** The most bytes that may be in use within a step, whose garbage nobody collects. */
const MOST_IN_STEP: usize = 268_435_456;

/** How many bytes may be in use before garbage is collected. */
let limit: usize = LEAST;

/** Whether the step has needed too much, so that what it made may lack a part. */
let short: bool = false;

/**
 * Whether there is no room for so many bytes more. From then on all that may grow ends early, what leaves the run is not let
 * out of it, and the run fails when the step is over.
 */
export function isShort(bytes: usize = 0): bool {
  if (total + bytes > MOST_IN_STEP) short = true;
  return short;
}

/**
 * Collects what nothing refers to any more, once as much has come as was left the last time. Whatever is still needed must
 * be reached from a global: references on the stack of WebAssembly do not count. Answers whether there was room, and is for more.
 */
export function tidy(): bool {
  if (!short && total < limit) return true;
  const was = short;
  collect();
  return !was && total < MOST;
}

/** The same at once. */
export function collect(): void {
  __collect();
  limit = max(LEAST, total << 1);
  short = false;
}
