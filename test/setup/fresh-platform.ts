import { sharedKeys } from '../make/sign-in.js';
import { startApp, type TestApp } from './app.js';
import { freshDatabase, type FreshDatabase } from './fresh-database.js';

/**
 * Gives each test a platform on a database of its own, whose processes the test starts. Returns a function that starts one
 * with the given roles.
 */
export function freshPlatform(): (roles: string) => Promise<TestApp> {
  const keys = sharedKeys();
  const apps: TestApp[] = [];
  let database: FreshDatabase;
  beforeEach(async () => {
    database = await freshDatabase({ migrated: true });
  });
  afterEach(async () => {
    for (const app of apps.splice(0).reverse()) await app.close();
    await database.drop();
  });
  return async (roles) => {
    const app = await startApp({ ...keys, PROCESS_ROLE: roles }, { databaseUrl: database.url });
    apps.push(app);
    return app;
  };
}
