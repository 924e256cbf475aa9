/** Stops the servers of the global setup after the last test, even if tests failed. */
export default async function globalTeardown() {
  await globalThis.stopTestServers?.();
}
