import { AccessCache } from '../../src/platform/access/access-cache.js';
import { waitUntil } from './until.js';
import { startApp, type TestApp } from './app.js';
import { makeApplication, makeUser, type TestUser } from '../make/make.js';
import { freshDatabase, type FreshDatabase } from './fresh-database.js';
import { sharedKeys } from '../make/sign-in.js';

interface SuiteOptions {
  /**
   * `own` for suites that change or count global rows, or create very many; by default they share the worker's
   * database.
   */
  database?: 'own';
  /** `false` for suites that expect a `429` or `503`, so that the client does not repeat the request. */
  retries?: boolean;
}

/**
 * Provides the parts that the tests of a file or `describe` use, created on access: `const { test, user } = suite();`.
 * They are available from the next `beforeAll` or `beforeEach` on. `env` overrides the platform's configuration.
 */
export function suite(env: Record<string, string> = {}, options: SuiteOptions = {}): Suite {
  return new Suite(env, options);
}

class Suite {
  /** The platform, started before the first test and closed after the last. */
  readonly test = {} as TestApp;
  private second?: TestApp;
  private each?: TestUser;
  private database?: FreshDatabase;

  constructor(
    private readonly env: Record<string, string>,
    private readonly options: SuiteOptions,
  ) {
    // The first start in a process loads the whole platform, which takes long on a busy machine.
    beforeAll(() => this.start(), 120_000);
    afterAll(() => this.stop());
  }

  /** A second process of the same platform. */
  get other(): TestApp {
    return (this.second ??= {} as TestApp);
  }

  /** A new user for each test. */
  get user(): TestUser {
    if (this.each) return this.each;
    const user = (this.each = {} as TestUser);
    beforeEach(async () => refill(user, await makeUser(this.test)));
    return user;
  }

  /** A new application in the sandbox of `user` for each test. */
  get application(): { id: string } & Record<string, any> {
    const { user } = this;
    const application = {} as { id: string };
    beforeEach(async () => refill(application, await makeApplication(this.test, user.token)));
    return application;
  }

  private async start(): Promise<void> {
    const env = this.second ? { ...sharedKeys(), ...this.env } : this.env;
    if (this.options.database === 'own') this.database = await freshDatabase({ migrated: true });
    const { retries } = this.options;
    const options = this.database ? { retries, databaseUrl: this.database.url } : { retries };
    Object.assign(this.test, await startApp(env, options));
    if (!this.second) return;
    const { app } = Object.assign(this.second, await startApp(env, options));
    // A process that starts beside another caches nothing at first.
    await waitUntil(() => Promise.resolve(app.get(AccessCache).receivesEvictions));
  }

  private async stop(): Promise<void> {
    for (const app of [this.second, this.test]) {
      await app?.close?.();
      // Releases the platform, because the module of a test file stays loaded.
      if (app) refill(app, {});
    }
    await this.database?.drop();
  }
}

/** Replaces the content of an object that tests hold a reference to. */
export function refill(held: object, content: object): void {
  for (const key of Object.keys(held)) Reflect.deleteProperty(held, key);
  Object.assign(held, content);
}
