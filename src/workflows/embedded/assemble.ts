import { readFile } from 'node:fs/promises';
import { asc, type AscTransform } from './asc.js';
import type { CompilerOptions } from './bundle.js';

/** Folder that contains all AssemblyScript; the compiler knows files by their paths in it. */
const ROOT = new URL('../', import.meta.url);
/** Folder of the code that all modules share, with the entry file. Nodes have theirs in `nodes/<kind>/wasm`. */
const RUNTIME = 'embedded/runtime/';
const FILE = /^(?:embedded\/runtime|nodes\/[a-z\d-]+\/wasm)(?:\/[a-z\d-]+)+\.ts$/;

/** Disabled, because small interpreters support only the WebAssembly MVP. */
const LATER_FEATURES = [
  'mutable-globals',
  'sign-extension',
  'nontrapping-f2i',
  'bulk-memory',
  'reference-types',
  'multi-value',
];

// The runtime collects garbage by bytes in use, a number that the collector does not export.
const COLLECTOR = 'rt/tcms';
const library = asc.libraryFiles;
library[COLLECTOR] = library[COLLECTOR]!.replace('let total: usize', 'export let total: usize');

export interface Assembled {
  readonly module: Uint8Array;
  readonly symbols?: Uint8Array;
}

/** Compiles the runtime with the given files replacing its own. `sources` are keyed by name in the runtime folder. */
export async function assemble(
  sources: Readonly<Record<string, string>>,
  options: CompilerOptions,
): Promise<Assembled> {
  const files = new Map<string, Uint8Array | string>();
  const stderr = asc.createMemoryStream();
  const { error } = await asc.main(
    [
      `${RUNTIME}index.ts`,
      ...['--outFile', 'module.wasm'],
      ...['--runtime', 'minimal'],
      ...['--optimizeLevel', '2', '--shrinkLevel', '2', '--noAssert'],
      ...['--use', `abort=${RUNTIME}abort/abort`],
      ...LATER_FEATURES.flatMap((feature) => ['--disable', feature]),
      ...(options.exportMemory ? [] : ['--importMemory', '--noExportMemory']),
      ...(options.debugSymbols ? ['--debug', '--sourceMap'] : []),
    ],
    {
      stderr,
      readFile: (name) =>
        (name.startsWith(RUNTIME) ? sources[name.slice(RUNTIME.length)] : undefined) ?? sourceFile(name),
      writeFile: (name, content) => void files.set(name, content),
      listFiles: () => [],
      transforms: [exportAddresses],
    },
  );
  const module = files.get('module.wasm');
  if (error || typeof module !== 'object')
    throw new Error(`the runtime could not be compiled: ${error?.message}\n${stderr.toString()}`);
  const symbols = files.get('module.wasm.map');
  return { module, ...(symbols && { symbols: Buffer.from(symbols) }) };
}

async function sourceFile(name: string): Promise<string | null> {
  if (!FILE.test(name)) return null;
  try {
    return await readFile(new URL(name, ROOT), 'utf8');
  } catch {
    return null;
  }
}

/** Exports the end of the data, the start of the heap, under the names that linkers use. */
const exportAddresses: AscTransform = {
  afterCompile(module) {
    for (const name of ['__data_end', '__heap_base']) module.addGlobalExport('~lib/memory/__heap_base', name);
  },
};
