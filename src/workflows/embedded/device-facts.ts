import type { DeviceFacts } from './bundle.js';
import { appendSection } from './wasm.js';

/** Returns bytes that no UTF-8 text contains, so that texts of callers cannot be mistaken for them. */
const placeholder = (first: number, length: number): Buffer =>
  Buffer.from(Array.from({ length }, (_, i) => first + i));

/** Bytes that stand for the facts of a device in compiled modules. They have the length of the facts. */
export const PLACEHOLDERS: Readonly<Record<keyof DeviceFacts, Buffer>> = {
  deviceId: placeholder(0x80, 24),
  deploymentId: placeholder(0x98, 24),
  identifier: placeholder(0xb0, 13),
};

/**
 * Returns a copy of a compiled module with the facts of a device. Takes microseconds. The identifier may be shorter than
 * its placeholder.
 */
export function moduleFor(facts: DeviceFacts, compiled: Uint8Array): Buffer {
  const module = Buffer.from(compiled);
  for (const fact of ['deviceId', 'deploymentId', 'identifier'] as const) {
    const text = Buffer.from(facts[fact]);
    const { length } = PLACEHOLDERS[fact];
    const at = module.indexOf(PLACEHOLDERS[fact]);
    const fits = fact === 'identifier' ? text.length <= length : text.length === length;
    if (at === -1 || !fits) throw new Error(`The module has no room for the ${fact} ${facts[fact]}`);
    module.fill(0, at, at + length).set(text, at);
    if (fact === 'identifier') module[at + length] = text.length;
  }
  return appendSection(module, 'bundleIdentifier', facts.identifier);
}
