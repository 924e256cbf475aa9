import { createHash } from 'node:crypto';
import type { Bundle, CompilerOptions, FunctionImport } from '../../../workflows/embedded/bundle.js';
import { compilerDigest } from '../../../workflows/embedded/compiler-digest.js';

/** Facts about a compiled module, copied to export manifests. */
export interface ModuleMetadata {
  deploymentId: string;
  deviceId: string;
  /** Version of the bundle. */
  bundleIdentifier: string;
  interfaceVersion: string;
  workflows: { flowId: string; name: string; version: string }[];
  options: Omit<CompilerOptions, 'topicPrefix'>;
  /** Size of the uncompressed module in bytes. */
  size: number;
  sha256: string;
  /** Size of the source map in bytes, if any. */
  symbolsSize?: number;
  /** Functions that the device must provide in addition to the interface. */
  imports: readonly FunctionImport[];
}

/** Options of device and export requests; omitted ones are disabled. */
export type RequestedOptions = Partial<Omit<CompilerOptions, 'topicPrefix'>>;

/** Returns complete compiler options with properties in a fixed order. */
export function optionsOf(asked: RequestedOptions, topicPrefix: string): CompilerOptions {
  const { traceLevel = 0, disableDebugMessage = false, debugSymbols = false, exportMemory = false } = asked;
  const { stackSize } = asked;
  return {
    traceLevel,
    disableDebugMessage,
    ...(stackSize === undefined ? {} : { stackSize }),
    debugSymbols,
    exportMemory,
    topicPrefix,
  };
}

/** Returns a text that identifies the options and the compiler; modules of a bundle are distinguished by it. */
export const recipeOf = (options: CompilerOptions): string =>
  JSON.stringify({ ...options, compiler: compilerDigest() });

export function optionsIn(recipe: string): CompilerOptions {
  const { compiler: _compiler, ...options } = JSON.parse(recipe) as CompilerOptions & { compiler: string };
  return options;
}

/**
 * Returns the SHA-256 of the complete compiler input. The order of properties is determined by the code that creates
 * them.
 */
export const contentOf = (bundle: Bundle, recipe: string): string => digest(JSON.stringify([bundle, recipe]));

export const digest = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');

/** Returns the blob key of a module; its source map is stored next to it. */
export const moduleKey = (content: string): string => `embedded-modules/${content}.wasm`;
export const symbolsKey = (content: string): string => `embedded-modules/${content}.wasm.map`;
