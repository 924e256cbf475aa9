import { assemble } from './assemble.js';
import { INTERFACE_VERSION, type Bundle, type CompiledBundle, type CompilerOptions } from './bundle.js';
import { sourceOf } from './source.js';
import { appendSection } from './wasm.js';

/**
 * Compiles a bundle into the module of its device. Deterministic: the same input produces the same bytes. Takes seconds
 * of CPU time and up to a few hundred megabytes, so callers run it in a separate process. Throws a `CompileError` that
 * names the workflow, node and field.
 */
export async function compile(bundle: Bundle, options: CompilerOptions): Promise<CompiledBundle> {
  const { files, imports } = sourceOf(bundle, options);
  const { module, symbols } = await assemble(files, options);
  const named = appendSection(module, 'bundleIdentifier', bundle.identifier);
  return {
    module: appendSection(named, 'interfaceVersion', INTERFACE_VERSION),
    imports,
    ...(symbols && { symbols }),
  };
}
