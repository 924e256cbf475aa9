import { Readable } from 'node:stream';
import type { Bundle, CompilerOptions } from '../../../workflows/embedded/bundle.js';
import type { CompileAnswer } from '../../../workflows/embedded/compile.thread.js';
import { digest, moduleKey, symbolsKey, type ModuleMetadata } from './module-metadata.js';

interface ModuleBlob {
  key: string;
  body: Readable;
  contentType: string;
}

/** Returns the blobs, facts and total size to store for a compiled module. */
export function storedModule(
  content: string,
  bundle: Bundle,
  { topicPrefix: _topicPrefix, ...options }: CompilerOptions,
  { compiled, interfaceVersion }: Extract<CompileAnswer, { compiled: object }>,
): { blobs: ModuleBlob[]; facts: ModuleMetadata; bytes: number } {
  const { module, symbols, imports } = compiled;
  const blob = (key: string, bytes: Uint8Array, contentType: string): ModuleBlob => ({
    key,
    body: Readable.from([Buffer.from(bytes)]),
    contentType,
  });
  const facts: ModuleMetadata = {
    deploymentId: bundle.deploymentId,
    deviceId: bundle.deviceId,
    bundleIdentifier: bundle.identifier,
    interfaceVersion,
    workflows: bundle.flows.map(({ flowId, name, version }) => ({ flowId, name, version })),
    options,
    size: module.byteLength,
    sha256: digest(module),
    ...(symbols ? { symbolsSize: symbols.byteLength } : {}),
    imports,
  };
  return {
    blobs: [
      blob(moduleKey(content), module, 'application/wasm'),
      ...(symbols ? [blob(symbolsKey(content), symbols, 'application/json')] : []),
    ],
    facts,
    bytes: module.byteLength + (symbols?.byteLength ?? 0),
  };
}
