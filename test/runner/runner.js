import circus from 'jest-circus/runner';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import './typescript.js';

const require = createRequire(import.meta.url);

/**
 * The runtime interface that Jest's test runner expects, implemented with Node's module loader, so modules stay loaded
 * between files.
 */
const native = {
  /** The test framework itself, which keeps state per file and is reloaded. */
  requireInternalModule(path) {
    delete require.cache[path];
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    return require(path);
  },
  requireModule: require,
  setGlobalsForRuntime: () => undefined,
  unstable_shouldLoadAsEsm: () => true,
  unstable_importModule: (path) => import(pathToFileURL(path).href),
  enterTestCode: () => undefined,
  leaveTestCode: () => undefined,
};

/**
 * Runs the tests of a file in the worker itself, with modules that stay loaded. Jest isolates the modules of each file and has
 * no option against it: 220 suites would load the platform, at 4 s of CPU each. Vitest has one (`isolate: false`), but every
 * suite would have to be ported. The framework, the reporters and the workers are those of Jest.
 */
export default async function run(globalConfig, config, environment, _runtime, path, sendMessageToJest) {
  if (globalConfig.watch || globalConfig.watchAll)
    throw new Error('Modules are loaded once, so --watch is not supported: run Jest again');
  // Node's own implementation applies the source maps of the modules it has loaded.
  Error.prepareStackTrace = undefined;
  return circus.default(globalConfig, config, environment, native, path, sendMessageToJest);
}
