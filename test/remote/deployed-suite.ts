import { makeApplication, type TestUser } from '../make/make.js';
import type { BlackBox } from '../setup/black-box.js';
import type { Platform } from '../setup/platform.js';
import { refill } from '../setup/suite.js';
import { deployedPlatform } from './deployed-platform.js';

/** Provides what `blackBox()` describes on a deployed platform. Deletes what the tests have created after the last. */
export function deployedSuite(): BlackBox {
  return new DeployedSuite();
}

class DeployedSuite implements BlackBox {
  readonly test = {} as Platform;
  private each?: TestUser;

  constructor() {
    beforeAll(async () => {
      const platform = await deployedPlatform();
      Object.assign(this.test, {
        client: platform.client,
        document: platform.document,
        samples: platform.samples,
        anotherUser: () => platform.anotherUser(),
        administrator: () => platform.administrator(),
      } satisfies Platform);
    });
    afterAll(async () => {
      const platform = await deployedPlatform();
      await platform.created.remove(platform.client);
    });
  }

  /** The same user for each test. */
  get user(): TestUser {
    if (this.each) return this.each;
    const user = (this.each = {} as TestUser);
    beforeEach(async () => refill(user, await (await deployedPlatform()).user()));
    return user;
  }

  /** A new application in the sandbox of `user` for each test. */
  get application(): { id: string } & Record<string, any> {
    const { user } = this;
    const application = {} as { id: string };
    beforeEach(async () => refill(application, await makeApplication(this.test, user.token)));
    return application;
  }
}
