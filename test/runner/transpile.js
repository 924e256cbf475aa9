import { transform } from '@swc/core';
import { readFile } from 'node:fs/promises';

/** Same options as in `tsconfig.json`; types are checked by `npm run typecheck`. */
const OPTIONS = {
  configFile: false,
  swcrc: false,
  sourceMaps: 'inline',
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
  module: { type: 'es6' },
};

/** Compiles a TypeScript file to JavaScript. */
export async function transpile(filename) {
  const { code } = await transform(await readFile(filename, 'utf8'), { ...OPTIONS, filename });
  return code;
}
