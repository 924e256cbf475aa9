/** A job that fails once is tried again after five seconds and a round of the reconciler. */
const PATIENCE_MS = 20_000;

/** Asks again and again until the answer is yes; fails after twenty seconds, or as long as is said. */
export async function until(holds: () => Promise<boolean>, patienceMs = PATIENCE_MS): Promise<void> {
  const end = Date.now() + patienceMs;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('It did not happen in time');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
