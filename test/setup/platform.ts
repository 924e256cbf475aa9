import type { OpenAPIObject } from '@nestjs/swagger';
import type { Client } from '../contract/client.js';
import type { SampleOverrides } from '../contract/samples.js';
import type { TestUser } from '../make/make.js';

/** A platform as its callers see it. Suites that need no more can test a deployed platform. */
export interface Platform {
  client: Client;
  document: OpenAPIObject;
  /** Returns a user other than that of the suite: a new one, or the second account of a deployed platform. */
  anotherUser(): Promise<TestUser>;
  /** Returns a user who administers an instance. */
  administrator(): Promise<TestUser & { instanceId: string }>;
  /** Rows and bodies that differ without a database. */
  samples?: SampleOverrides;
}
