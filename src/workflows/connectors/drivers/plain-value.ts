/** Returns a value of a driver as plain data. Bytes become base64; times remain dates. */
export function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(plainValue);
  if (hasJson(value)) return plainValue(value.toJSON());
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainValue(member)]));
}

const hasJson = (value: object): value is { toJSON(): unknown } =>
  'toJSON' in value && typeof value.toJSON === 'function';
