import Module from 'node:module';

/** Resolves the `./x.js` of an import to the `./x.ts` it is made from, as Jest does for tests but not for this file. */
type Resolver = { _resolveFilename: (this: void, request: string, ...rest: unknown[]) => string };

/**
 * Before the first test: one PostgreSQL and one Redis for the run, in a temporary folder, and a migrated database to copy
 * each worker's from. The workers find them in TEST_POSTGRES_URL, TEST_REDIS_URL and TEST_REDIS_KIND.
 */
export default async function globalSetup(): Promise<void> {
  const resolver = Module as unknown as Resolver;
  const resolve = resolver._resolveFilename;
  resolver._resolveFilename = (request, ...rest) => {
    try {
      return resolve(request, ...rest);
    } catch (error) {
      if (!/^\..*\.js$/.test(request)) throw error;
      return resolve(request.replace(/\.js$/, '.ts'), ...rest);
    }
  };
  try {
    const { startServers } = await import('./servers.js');
    await startServers();
  } finally {
    resolver._resolveFilename = resolve;
  }
}
