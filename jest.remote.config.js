import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { common, limits } from './jest.config.js';

const { API_URL, API_EMAIL, API_PASSWORD, API_OTHER_EMAIL, REPORT_DIR = 'reports' } = process.env;
if (!API_URL || !API_EMAIL || !API_PASSWORD)
  throw new Error('npm run test:remote needs API_URL, API_EMAIL and API_PASSWORD: see docs/testing.md');

await fetch(`${API_URL.replace(/\/+$/, '')}/openapi.json`).catch(({ cause, message }) => {
  throw new Error(`API_URL: ${API_URL} does not respond: ${cause?.message ?? message}`);
});

// Tells the suites to use the deployed platform.
process.env.TEST_REMOTE = '1';
process.env.JEST_JUNIT_OUTPUT_DIR ??= REPORT_DIR;
process.env.JEST_JUNIT_CLASSNAME ??= '{filepath}';
rmSync(join(REPORT_DIR, 'exchanges.jsonl'), { force: true });

/** Suites that use `blackBox()`, and whose accounts are configured. */
const suites = ['src', 'test/suites']
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => join(folder, file)))
  .filter((file) => file.endsWith('.e2e-spec.ts'))
  .filter((file) => {
    const text = readFileSync(file, 'utf8');
    if (!text.includes('= blackBox()')) return false;
    return file.endsWith('operations.e2e-spec.ts') || (API_OTHER_EMAIL ?? !text.includes('.anotherUser('));
  });

export default {
  ...common,
  ...limits,
  displayName: 'remote',
  testMatch: suites.map((file) => resolve(file)),
  testTimeout: 60_000,
  // All suites use the same accounts.
  maxWorkers: 1,
  reporters: ['default', 'jest-junit', '<rootDir>/test/remote/reporter.js'],
};
