import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { LIMITS } from './script-engine.js';

const MEMORY_SECTION = 5;
const HEADER_BYTES = 8;
const PAGE_BYTES = 64 * 1024;

const require = createRequire(import.meta.url);

/** A compiled module of WebAssembly, which the types of Node do not contain. */
export type WasmModule = object;

const { Module } = (
  globalThis as unknown as { WebAssembly: { Module: new (bytes: Uint8Array) => WasmModule } }
).WebAssembly;

/**
 * Returns the compiled module of the JavaScript engine. Its memory has a maximum that WebAssembly enforces, because the
 * limit inside the engine counts only what its allocator was asked for.
 */
export function quickJsModule(): WasmModule {
  const bytes = readFileSync(require.resolve('quickjs-wasi/quickjs.wasm'));
  return new Module(withMaximumMemory(bytes, LIMITS.memory / PAGE_BYTES));
}

/** Replaces the limits of the only memory of a module: its minimum is kept, and its maximum set. */
export function withMaximumMemory(module: Uint8Array, maxPages: number): Uint8Array {
  for (let at = HEADER_BYTES; at < module.length;) {
    const size = readNumber(module, at + 1);
    const end = size.end + size.value;
    if (module[at] === MEMORY_SECTION) {
      const [COUNT, HAS_MAXIMUM] = [1, 1];
      // Skips the number of memories and the flags.
      const minPages = readNumber(module, size.end + 2).value;
      const limits = [COUNT, HAS_MAXIMUM, ...number(minPages), ...number(maxPages)];
      const section = Buffer.from([MEMORY_SECTION, ...number(limits.length), ...limits]);
      return Buffer.concat([module.subarray(0, at), section, module.subarray(end)]);
    }
    at = end;
  }
  throw new Error('The WebAssembly module has no memory of its own');
}

/** Reads an unsigned LEB128 number. */
function readNumber(bytes: Uint8Array, from: number): { value: number; end: number } {
  let value = 0;
  for (let at = from, shift = 0; ; at++, shift += 7) {
    value |= (bytes[at]! & 0x7f) << shift;
    if (bytes[at]! < 0x80) return { value, end: at + 1 };
  }
}

/** Encodes an unsigned LEB128 number. */
function number(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...number(value >>> 7)];
}
