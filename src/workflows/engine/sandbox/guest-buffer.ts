import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

// The slash selects the package instead of the module of Node.
const path = createRequire(import.meta.url).resolve('buffer/');
const dependencies = createRequire(path);
const sourceOf = (file: string): string =>
  `function (module, exports, require) {${readFileSync(file, 'utf8')}\n}`;

/** Source that defines the global `Buffer` inside a sandbox, from the package `buffer`. */
export const BUFFER_SOURCE = `(function () {
  const sources = {
    'base64-js': ${sourceOf(dependencies.resolve('base64-js'))},
    ieee754: ${sourceOf(dependencies.resolve('ieee754'))},
    buffer: ${sourceOf(path)},
  };
  const load = (name) => {
    const module = { exports: {} };
    sources[name](module, module.exports, load);
    return module.exports;
  };
  const { Buffer } = load('buffer');
  Object.defineProperty(globalThis, 'Buffer', { value: Buffer, configurable: true, writable: true });
})()`;
