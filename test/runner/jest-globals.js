/** What suites find in `@jest/globals`: the environment's mocks. */
export const jest = globalThis.jest;
