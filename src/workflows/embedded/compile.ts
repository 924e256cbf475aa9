import { assemble } from './assemble.js';
import { INTERFACE_VERSION, type Bundle, type CompiledBundle, type CompilerOptions } from './bundle.js';
import { sourceOf } from './source.js';
import { withSection } from './wasm.js';

/**
 * Compiles a bundle into the module of its device: the same input makes the same bytes. It takes seconds of a processor and
 * up to a few hundred megabytes, so callers run it in a process of its own. Throws a `CompileError` that names workflow,
 * node and field.
 */
export async function compile(bundle: Bundle, options: CompilerOptions): Promise<CompiledBundle> {
  const { files, imports } = sourceOf(bundle, options);
  const { module, symbols } = await assemble(files, options);
  const named = withSection(module, 'bundleIdentifier', bundle.identifier);
  return {
    module: withSection(named, 'interfaceVersion', INTERFACE_VERSION),
    imports,
    ...(symbols && { symbols }),
  };
}
