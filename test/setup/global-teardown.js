/** After the last test, failed or not: ends what the global set-up started. */
export default async function globalTeardown() {
  await globalThis.stopTestServers?.();
}
