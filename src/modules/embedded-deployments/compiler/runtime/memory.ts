/** How many steps may leave their garbage before it is collected. */
const STEPS_BETWEEN: i32 = 64;

let steps = 0;
let pages: i32 = memory.size();

/**
 * Collects what nothing refers to any more, now and then, and whenever the memory has grown. Whatever is still needed must
 * be reached from a global: references on the stack of WebAssembly do not count.
 */
export function tidy(): void {
  if (++steps < STEPS_BETWEEN && memory.size() == pages) return;
  collect();
}

/** Collects at once. */
export function collect(): void {
  steps = 0;
  pages = memory.size();
  __collect();
}
