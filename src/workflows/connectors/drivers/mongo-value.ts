/** Serializer of extended JSON, of the driver. */
interface Ejson {
  serialize(value: unknown): unknown;
}

/** Types of BSON that are shown as a text. */
const TEXTS: ReadonlySet<string> = new Set(['Decimal128', 'Long', 'ObjectId', 'Timestamp', 'UUID']);

/** Returns a value of the driver as plain data: IDs and large numbers as texts, bytes as base64; times remain dates. */
export function mongoValue(value: unknown, ejson: Ejson): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map((item) => mongoValue(item, ejson));
  if ('_bsontype' in value && typeof value._bsontype === 'string')
    return bsonValue(value, value._bsontype, ejson);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mongoValue(member, ejson)]));
}

function bsonValue(value: object, type: string, ejson: Ejson): unknown {
  if (TEXTS.has(type)) return (value as { toString(): string }).toString();
  if (type === 'Binary') return (value as { toString(encoding: string): string }).toString('base64');
  if (type === 'Double' || type === 'Int32') return Number(value);
  return ejson.serialize(value);
}
