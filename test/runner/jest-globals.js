/** Replacement for `@jest/globals` with the mocks of the environment. */
export const jest = globalThis.jest;
