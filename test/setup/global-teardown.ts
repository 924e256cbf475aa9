/** After the last test, failed or not: ends what the global set-up started. */
export default async function globalTeardown(): Promise<void> {
  await (globalThis as { stopTestServers?: () => Promise<void> }).stopTestServers?.();
}
