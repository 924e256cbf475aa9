/** Allows for a job that fails once: it is retried after five seconds and one cycle of the reconciler. */
const TIMEOUT_MS = 20_000;

/** Polls until the condition holds; fails after 20 seconds, or after `patienceMs`. */
export async function waitUntil(holds: () => Promise<boolean>, patienceMs = TIMEOUT_MS): Promise<void> {
  const end = Date.now() + patienceMs;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('The condition did not hold in time');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
