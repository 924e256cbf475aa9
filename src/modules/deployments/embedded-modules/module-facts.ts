import { createHash } from 'node:crypto';
import type { Bundle, CompilerOptions, FunctionImport } from '../../../workflows/embedded/bundle.js';
import { compilerDigest } from '../../../workflows/embedded/compiler-digest.js';

/** What there is to say of a compiled module; manifests of exports have it as it stands. */
export interface ModuleFacts {
  deploymentId: string;
  deviceId: string;
  /** The version of the bundle that it was made of. */
  bundleIdentifier: string;
  interfaceVersion: string;
  workflows: { flowId: string; name: string; version: string }[];
  options: Omit<CompilerOptions, 'topicPrefix'>;
  /** Of the module as it is, in bytes. */
  size: number;
  sha256: string;
  /** Of its source map, where there is one. */
  symbolsSize?: number;
  /** What the device has to supply beside the interface. */
  imports: readonly FunctionImport[];
}

/** The options that devices and exports give; absent, they are off. */
export type AskedOptions = Partial<Omit<CompilerOptions, 'topicPrefix'>>;

/** Options as the compiler takes them, always with the same members in the same order. */
export function optionsOf(asked: AskedOptions, topicPrefix: string): CompilerOptions {
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

/** What tells modules of one bundle apart: the options, and the compiler, as text. */
export const recipeOf = (options: CompilerOptions): string =>
  JSON.stringify({ ...options, compiler: compilerDigest() });

export function optionsIn(recipe: string): CompilerOptions {
  const { compiler: _compiler, ...options } = JSON.parse(recipe) as CompilerOptions & { compiler: string };
  return options;
}

/** SHA-256 of all that a module follows from. The order of members is that of the code which made them. */
export const contentOf = (bundle: Bundle, recipe: string): string => digest(JSON.stringify([bundle, recipe]));

export const digest = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');

/** Where the module of a content is kept, and its source map. */
export const moduleKey = (content: string): string => `embedded-modules/${content}.wasm`;
export const symbolsKey = (content: string): string => `embedded-modules/${content}.wasm.map`;
