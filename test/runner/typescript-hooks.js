import { fileURLToPath } from 'node:url';
import { transpile } from '../../scripts/transpile.js';

const JEST_GLOBALS = new URL('./jest-globals.js', import.meta.url).href;

/** TypeScript imports `./x.js`, which is resolved to `./x.ts` if that exists. */
export async function resolve(specifier, context, next) {
  if (specifier === '@jest/globals') return { url: JEST_GLOBALS, shortCircuit: true };
  if (/^\.{1,2}\/.*\.js$/.test(specifier) && context.parentURL?.endsWith('.ts')) {
    const source = await next(specifier.replace(/\.js$/, '.ts'), context).catch(() => undefined);
    if (source) return source;
  }
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const { code } = await transpile(fileURLToPath(url), { sourceMaps: 'inline' });
  return { format: 'module', source: code, shortCircuit: true };
}
