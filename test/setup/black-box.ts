import type { OpenAPIObject } from '@nestjs/swagger';
import type { TestUser } from '../make/make.js';
import { deployedDocument } from '../remote/deployed-platform.js';
import { deployedSuite } from '../remote/deployed-suite.js';
import type { Platform } from './platform.js';
import { suite } from './suite.js';

/** The parts that black-box tests use, created on access like those of `suite()`. */
export interface BlackBox {
  readonly test: Platform;
  readonly user: TestUser;
  readonly application: { id: string } & Record<string, any>;
}

/**
 * Like `suite()`, for suites that only need HTTP and the document. `npm run test:remote` selects them by this call and
 * runs them against a deployed platform.
 */
export const blackBox = (): BlackBox =>
  process.env.TEST_REMOTE ? deployedSuite() : suite({ LOG_LEVEL: 'error' });

/** Returns the document before the platform starts, for suites with a test for each operation. */
export async function blackBoxDocument(): Promise<OpenAPIObject> {
  if (process.env.TEST_REMOTE) return deployedDocument();
  const { documentText } = await import('../../src/openapi/emit.js');
  return JSON.parse(await documentText()) as OpenAPIObject;
}
