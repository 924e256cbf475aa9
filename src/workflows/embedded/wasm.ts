const CUSTOM_SECTION = 0;

/** Appends a custom section to a module. */
export function appendSection(module: Uint8Array, name: string, content: string): Buffer {
  const label = Buffer.from(name);
  const body = Buffer.concat([length(label.length), label, Buffer.from(content)]);
  return Buffer.concat([module, Buffer.of(CUSTOM_SECTION), length(body.length), body]);
}

/** Encodes a length in LEB128. */
function length(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 0x7f) | 0x80);
  }
}
