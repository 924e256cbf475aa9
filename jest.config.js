import { randomInt } from 'node:crypto';
import './test/runner/typescript.js';

// As test/setup/selection.ts has it: SEED repeats the samples and properties of a run, ONLY asks for the suites of some families.
process.env.SEED ??= String(randomInt(2 ** 31));
process.stderr.write(`Samples and properties: SEED=${process.env.SEED}\n`);
const { onlyFamilies } = await import('./test/setup/selection.ts');

/**
 * Suites over the whole API. `ONLY` narrows them to the rows of the families that it names; those over the code, the
 * document and the schema cannot be narrowed, and run whole.
 */
const NARROWED =
  'attack|audit|bodies|device-reach|folding|hidden-fields|holdings|hostile|json-columns|large-pages|narrow-tokens|operations|permissions|readers|secrets';
const WHOLE = 'bundles|document|house|job-kinds|locks|migrations|published-client|routes|sql';
const OVER_ALL = `/test/suites/(${NARROWED}|${WHOLE})|/src/platform/access/scopes`;
const chosen = onlyFamilies ? `(/src/modules/[^/]+/(${onlyFamilies.join('|')})/.*|${OVER_ALL})` : '.*';

/** Test files share the environment of their worker, so the platform is loaded only once (see `test/runner`). */
export const common = {
  testEnvironment: '<rootDir>/test/runner/environment.js',
  testRunner: '<rootDir>/test/runner/runner.js',
  transform: {},
  roots: ['<rootDir>/src', '<rootDir>/test'],
};

/** What workers may use. */
export const limits = {
  // One core is not enough for a suite with its PostgreSQL and Redis, but reserving one would waste half of a small
  // machine.
  maxWorkers: '100%',
  workerIdleMemoryLimit: '1GB',
  // On a busy machine, a worker with a large heap needs more than Jest's half a second to exit. One that leaks never exits,
  // so a leak is still reported.
  workerGracefulExitTimeout: 15_000,
};

export default {
  projects: [
    {
      ...common,
      displayName: 'unit',
      testRegex: `${chosen}(?<!\\.e2e)[./-]spec\\.ts$`,
      testPathIgnorePatterns: ['e2e-spec'],
    },
    {
      ...common,
      displayName: 'e2e',
      testRegex: `${chosen}\\.e2e-spec\\.ts$`,
      globalSetup: '<rootDir>/test/setup/global-setup.js',
      globalTeardown: '<rootDir>/test/setup/global-teardown.js',
    },
  ],
  testTimeout: 30_000,
  ...limits,
};
