import { sized } from '../../lib/wasm/wasm-binary.js';

const CUSTOM_SECTION = 0;

/** Appends a custom section to a module. */
export function appendSection(module: Uint8Array, name: string, content: string): Buffer {
  const body = Buffer.concat([sized(Buffer.from(name)), Buffer.from(content)]);
  return Buffer.concat([module, Buffer.of(CUSTOM_SECTION), sized(body)]);
}
