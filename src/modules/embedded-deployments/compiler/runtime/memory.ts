import { total } from 'rt/tcms';

/** The fewest bytes whose garbage is worth collecting. */
const LEAST: usize = 32_768;

/** The most bytes that may be in use when garbage is gone: a run that needs more fails before the host runs out of memory. */
const MOST: usize = 33_554_432;

/** How many bytes may be in use before garbage is collected. */
let limit: usize = LEAST;

/**
 * Collects what nothing refers to any more, once as much has come as was left the last time. Whatever is still needed must
 * be reached from a global: references on the stack of WebAssembly do not count. Answers whether there is room for more.
 */
export function tidy(): bool {
  if (total < limit) return true;
  __collect();
  limit = max(LEAST, total << 1);
  return total < MOST;
}
