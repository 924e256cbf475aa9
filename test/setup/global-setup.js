import '../runner/typescript.js';

/**
 * Starts one PostgreSQL and one Redis for the run in a temporary folder, and migrates a template database for the
 * workers. The workers find them in `TEST_POSTGRES_URL`, `TEST_REDIS_URL` and `TEST_REDIS_KIND`.
 */
export default async function globalSetup() {
  const { startServers } = await import('./servers.ts');
  await startServers();
}
