/** ESM throughout: run with NODE_OPTIONS=--experimental-vm-modules (the npm scripts do). */
const common = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
        },
        module: { type: 'es6' },
      },
    ],
  },
};

export default {
  projects: [
    {
      ...common,
      displayName: 'unit',
      roots: ['<rootDir>/src', '<rootDir>/test'],
      testRegex: '(?<!\\.e2e)[./-]spec\\.ts$',
      testPathIgnorePatterns: ['e2e-spec'],
    },
    {
      ...common,
      displayName: 'e2e',
      roots: ['<rootDir>/src', '<rootDir>/test'],
      testRegex: '\\.e2e-spec\\.ts$',
      globalSetup: '<rootDir>/test/setup/global-setup.ts',
      globalTeardown: '<rootDir>/test/setup/global-teardown.ts',
    },
  ],
  testTimeout: 30_000,
  workerIdleMemoryLimit: '1GB',
};
