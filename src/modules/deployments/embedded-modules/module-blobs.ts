import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { BlobMissing, type Blobs } from '../../../lib/blobs/blobs.js';
import type { Bundle, CompilerOptions, FunctionImport } from '../../../workflows/embedded/bundle.js';
import { moduleFor } from '../../../workflows/embedded/device-facts.js';
import { digest, moduleKey, symbolsKey, type ModuleMetadata } from './module-metadata.js';

interface ModuleBlob {
  key: string;
  body: Readable;
  contentType: string;
}

/** Compiled module without facts of devices. */
export interface SharedModule {
  module: Uint8Array;
  symbolsSize?: number;
  interfaceVersion: string;
  imports: readonly FunctionImport[];
}

/** Returns the blobs to store for a compiled module. */
export function blobsOf(content: string, module: Uint8Array, symbols?: Uint8Array): ModuleBlob[] {
  const blob = (key: string, bytes: Uint8Array, contentType: string): ModuleBlob => ({
    key,
    body: Readable.from([Buffer.from(bytes)]),
    contentType,
  });
  return [
    blob(moduleKey(content), module, 'application/wasm'),
    ...(symbols ? [blob(symbolsKey(content), symbols, 'application/json')] : []),
  ];
}

/** Returns the facts about the module of a device. */
export function metadataOf(
  bundle: Bundle,
  { topicPrefix: _topicPrefix, ...options }: CompilerOptions,
  { module: shared, symbolsSize, interfaceVersion, imports }: SharedModule,
): ModuleMetadata {
  const module = moduleFor(bundle, shared);
  return {
    deploymentId: bundle.deploymentId,
    deviceId: bundle.deviceId,
    bundleIdentifier: bundle.identifier,
    interfaceVersion,
    workflows: bundle.flows.map(({ flowId, name, version }) => ({ flowId, name, version })),
    options,
    size: module.byteLength,
    sha256: digest(module),
    ...(symbolsSize === undefined ? {} : { symbolsSize }),
    imports,
  };
}

/** Reads a compiled module without facts of devices. Returns `undefined` if the blob no longer exists. */
export async function readShared(blobs: Blobs, content: string): Promise<Buffer | undefined> {
  try {
    return await buffer(await blobs.read(moduleKey(content)));
  } catch (error) {
    if (error instanceof BlobMissing) return undefined;
    throw error;
  }
}
