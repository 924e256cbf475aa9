import { transform } from '@swc/core';
import { readFile } from 'node:fs/promises';

/** The same output as tsc with tsconfig.json, file by file; `npm run typecheck` checks the types. */
export const OPTIONS = {
  configFile: false,
  swcrc: false,
  inlineSourcesContent: false,
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
  module: { type: 'es6' },
};

/** Compiles a TypeScript file. `options` adds to the options of swc. */
export async function transpile(filename, options) {
  return transform(await readFile(filename, 'utf8'), { ...OPTIONS, ...options, filename });
}
