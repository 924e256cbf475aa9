import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { withLoopChecks } from './loop-checks.js';
import { LIMITS } from './script-engine.js';
import { mapSections, unsigned, WasmReader } from '../../../lib/wasm/wasm-binary.js';

const MEMORY_SECTION = 5;
const PAGE_BYTES = 64 * 1024;
/** Function that the engine imports and calls now and then, to ask whether to go on. */
const INTERRUPT = 'host_interrupt';

const require = createRequire(import.meta.url);

/** A compiled module of WebAssembly, which the types of Node do not contain. */
export type WasmModule = object;

const { Module } = (
  globalThis as unknown as { WebAssembly: { Module: new (bytes: Uint8Array) => WasmModule } }
).WebAssembly;

/**
 * Returns the compiled module of the JavaScript engine. Its memory has a maximum that WebAssembly enforces, because the
 * limit inside the engine counts only what its allocator was asked for. All of its loops can be interrupted, because the
 * engine asks only between the instructions of a script, and not within a built-in function.
 */
export function quickJsModule(): WasmModule {
  return (compiled ??= compile());
}

let compiled: WasmModule | undefined;

function compile(): WasmModule {
  const bytes = readFileSync(require.resolve('quickjs-wasi/quickjs.wasm'));
  return new Module(withLoopChecks(withMaximumMemory(bytes, LIMITS.memory / PAGE_BYTES), INTERRUPT));
}

/** Replaces the limits of the only memory of a module: its minimum is kept, and its maximum set. */
export function withMaximumMemory(module: Uint8Array, maxPages: number): Uint8Array {
  let isFound = false;
  const changed = mapSections(module, (id, content) => {
    if (id !== MEMORY_SECTION) return content;
    isFound = true;
    const [COUNT, HAS_MAXIMUM] = [1, 1];
    const AFTER_FLAGS = 2;
    const minPages = new WasmReader(content, AFTER_FLAGS).number();
    return Buffer.from([COUNT, HAS_MAXIMUM, ...unsigned(minPages), ...unsigned(maxPages)]);
  });
  if (!isFound) throw new Error('The WebAssembly module has no memory of its own');
  return changed;
}
