import { createHash } from 'node:crypto';
import type {
  BundleContents,
  CompilerOptions,
  DeviceFacts,
  FunctionImport,
} from '../../../workflows/embedded/bundle.js';
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
 * Returns the SHA-256 of the complete compiler input, which is the same for all devices with these workflows. The order
 * of properties is determined by the code that creates them.
 */
export const contentOf = ({ globals, flows }: BundleContents, recipe: string): string =>
  digest(JSON.stringify([globals, flows, recipe]));

/** Returns the facts of the device that are added to the shared module. */
export const deviceFactsOf = ({ deviceId, deploymentId, bundleIdentifier }: ModuleMetadata): DeviceFacts => ({
  deviceId,
  deploymentId,
  identifier: bundleIdentifier,
});

export const digest = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');

/** Returns the blob key of a compiled module without facts of devices; its source map is stored next to it. */
export const moduleKey = (content: string): string => `shared-modules/${content}.wasm`;
export const symbolsKey = (content: string): string => `shared-modules/${content}.wasm.map`;
