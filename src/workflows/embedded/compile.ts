import { assemble } from './assemble.js';
import {
  INTERFACE_VERSION,
  type BundleContents,
  type CompiledBundle,
  type CompilerOptions,
} from './bundle.js';
import { sourceOf } from './source.js';
import { appendSection } from './wasm.js';

/**
 * Compiles the contents of a bundle. `moduleFor` adds the facts of each device to the result. Deterministic: the same
 * input produces the same bytes. Takes seconds of CPU time and up to a few hundred megabytes, so callers run it in a
 * separate process. Throws a `CompileError` that names the workflow, node and field.
 */
export async function compile(bundle: BundleContents, options: CompilerOptions): Promise<CompiledBundle> {
  const { files, imports } = sourceOf(bundle, options);
  const { module, symbols } = await assemble(files, options);
  return {
    module: appendSection(module, 'interfaceVersion', INTERFACE_VERSION),
    imports,
    ...(symbols && { symbols }),
  };
}
