import { total } from 'rt/tcms';

/** The fewest bytes whose garbage is worth collecting. */
const LEAST: usize = 32_768;

/** How many bytes may be in use before garbage is collected. */
let limit: usize = LEAST;

/**
 * Collects what nothing refers to any more, once as much has come as was left the last time. Whatever is still needed must
 * be reached from a global: references on the stack of WebAssembly do not count.
 */
export function tidy(): void {
  if (total < limit) return;
  __collect();
  limit = max(LEAST, total << 1);
}
