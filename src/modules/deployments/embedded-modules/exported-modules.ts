import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import { moduleFor } from '../../../workflows/embedded/device-facts.js';
import type { ZippedFile } from '../../../lib/zip/zip.js';
import { deviceFactsOf, moduleKey, symbolsKey, type ModuleMetadata } from './module-metadata.js';

/** Modules of an export, and bundles that could not be compiled. */
export interface ExportedModules {
  modules: { content: string; facts: ModuleMetadata }[];
  failed: { deviceId: string; bundle: string; error: string }[];
}

/**
 * Yields the files of an export: a manifest, and a folder for each device with its module and source map. Sizes and
 * digests in the manifest are those of the uncompressed module.
 */
export async function* exportedFiles(
  { applicationId, gzip }: { applicationId: string; gzip: boolean },
  { modules, failed }: ExportedModules,
  read: (key: string) => Promise<Readable>,
): AsyncGenerator<ZippedFile> {
  const named = modules.map(({ content, facts }) => {
    const module = `${facts.deviceId}/module.wasm${gzip ? '.gz' : ''}`;
    const symbols = facts.symbolsSize === undefined ? undefined : `${facts.deviceId}/module.wasm.map`;
    return { content, facts, module, symbols, entry: entryOf(facts, { module, symbols }) };
  });
  const manifest = { applicationId, gzip, modules: named.map(({ entry }) => entry), failed };
  yield { name: 'manifest.json', content: Readable.from([`${JSON.stringify(manifest, null, 2)}\n`]) };
  for (const { content, facts, module, symbols } of named) {
    const own = moduleFor(deviceFactsOf(facts), await buffer(await read(moduleKey(content))));
    yield { name: module, content: packed(Readable.from([own]), gzip) };
    if (symbols) yield { name: symbols, content: await read(symbolsKey(content)) };
  }
}

const entryOf = ({ imports, ...facts }: ModuleMetadata, files: { module: string; symbols?: string }) => ({
  ...facts,
  files,
  imports: imports.map(({ name, params }) => ({ module: 'env', name, params, results: ['i32'] })),
});

function packed(content: Readable, gzip: boolean): Readable {
  if (!gzip) return content;
  const compressed = createGzip();
  content.on('error', (error) => compressed.destroy(error));
  compressed.on('close', () => content.destroy());
  return content.pipe(compressed);
}
