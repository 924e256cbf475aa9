/** Files run in the world of their worker, as test/runner has it: the platform is loaded once for all of them. */
const common = {
  testEnvironment: '<rootDir>/test/runner/environment.js',
  testRunner: '<rootDir>/test/runner/runner.js',
  transform: {},
  roots: ['<rootDir>/src', '<rootDir>/test', '<rootDir>/bench'],
};

export default {
  projects: [
    {
      ...common,
      displayName: 'unit',
      testRegex: '(?<!\\.e2e)[./-]spec\\.ts$',
      testPathIgnorePatterns: ['e2e-spec'],
    },
    {
      ...common,
      displayName: 'e2e',
      testRegex: '\\.e2e-spec\\.ts$',
      globalSetup: '<rootDir>/test/setup/global-setup.js',
      globalTeardown: '<rootDir>/test/setup/global-teardown.js',
    },
  ],
  testTimeout: 30_000,
  workerIdleMemoryLimit: '1GB',
};
