import '../runner/typescript.js';

/**
 * Before the first test: one PostgreSQL and one Redis for the run, in a temporary folder, and a migrated database to copy
 * each worker's from. The workers find them in TEST_POSTGRES_URL, TEST_REDIS_URL and TEST_REDIS_KIND.
 */
export default async function globalSetup() {
  const { startServers } = await import('./servers.ts');
  await startServers();
}
