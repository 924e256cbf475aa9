import { OTHERS_EXTENSION, referredName } from '../platform/responses/schema.js';
import type { Json } from './operations.js';
import { UNSAMPLED } from '../platform/fields/fields.js';

const MAX_INT32 = 2 ** 31 - 1;

/** Documents arrays that are returned only on request as additional members, with their names and contents. */
export function documentOptionalProperties(schema: Json): void {
  const properties = (schema.properties ?? {}) as Record<string, Json>;
  const lists = Object.entries(properties).filter(([, property]) => property['x-on-request']);
  if (lists.length === 0) return;
  const told = lists.map(([name, { description }]) => `\`${name}\`, ${description as string}`);
  schema.additionalProperties = {
    type: 'array',
    items: { anyOf: lists.map(([, { items }]) => items) },
    description: `Returned only on request: ${told.join('; ')}.`,
  };
  for (const [name] of lists) delete properties[name];
}

/** Moves schemas with a title into the components and replaces them with references. */
export function hoistTitled(node: Json, schemas: Record<string, Json>): void {
  for (const [key, value] of Object.entries(node)) {
    if (typeof value !== 'object' || value === null) continue;
    const child = value as Json;
    hoistTitled(child, schemas);
    const parts = (child.allOf ?? child.oneOf) as Json[] | undefined;
    if (child.nullable === true && parts) child.type ??= typeOf(parts, schemas);
    const isSchema = typeof child.title === 'string' && ('type' in child || 'oneOf' in child);
    if (!isSchema) continue;
    const { title, [UNSAMPLED]: unsampled, ...schema } = child as Json & { title: string };
    const known = schemas[title];
    if (known && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`Two schemas are named ${title}: give one of them another title`);
    schemas[title] = schema;
    node[key] = { $ref: `#/components/schemas/${title}`, ...(unsampled ? { [UNSAMPLED]: true } : {}) };
  }
}

/** Nest drops `type` next to `allOf` and `oneOf`, but OpenAPI 3.0 ignores `nullable` without `type`. */
function typeOf([schema]: Json[], schemas: Record<string, Json>): unknown {
  return typeof schema?.$ref === 'string' ? schemas[referredName(schema.$ref)]?.type : schema?.type;
}

/** Adds the format to integers without one: `int64` unless their maximum shows that they are smaller. */
export function documentIntegers(node: Json): void {
  if (node.type === 'integer')
    node.format ??= typeof node.maximum === 'number' && node.maximum <= MAX_INT32 ? 'int32' : 'int64';
  for (const [key, value] of Object.entries(node))
    if (key !== 'example' && typeof value === 'object' && value !== null) documentIntegers(value as Json);
}

/**
 * Publishes additional properties with a schema, beside named ones, as free properties. Most languages cannot express
 * them; an extension keeps the schema, which the platform enforces.
 */
export function openObjects(schema: Json): void {
  const { properties, additionalProperties: others } = schema;
  if (properties && typeof others === 'object' && others !== null) {
    schema[OTHERS_EXTENSION] = others;
    schema.additionalProperties = true;
  }
}

/**
 * Moves the defaults of properties into their descriptions. Many generators treat a property with a default as always
 * present, and therefore as required in request bodies.
 */
export function describeDefaults(node: Json): void {
  for (const value of Object.values(node)) {
    if (typeof value !== 'object' || value === null) continue;
    const schema = value as Json;
    describeDefaults(schema);
    if (schema.default === undefined || typeof schema.type !== 'string') continue;
    const { default: usual, description = '' } = schema as { default: unknown; description?: string };
    const shown = typeof usual === 'string' ? usual : JSON.stringify(usual);
    schema.description = `${description} Default: \`${shown}\`.`.trimStart();
    schema.example ??= usual;
    delete schema.default;
  }
}

/** Makes all objects that are reachable from a request body reject unknown properties. */
export function closeObjects(node: unknown, schemas: Record<string, Json>, seen = new Set<unknown>()): void {
  if (typeof node !== 'object' || node === null || seen.has(node)) return;
  seen.add(node);
  const schema = node as Json;
  if (schema.type === 'object' && schema.properties) schema.additionalProperties ??= false;
  if (typeof schema.$ref === 'string') closeObjects(schemas[referredName(schema.$ref)], schemas, seen);
  for (const child of Object.values(schema)) closeObjects(child, schemas, seen);
}
