type Json = Record<string, unknown>;

/** Copies what a schema shows of a value. */
export type Copier = (value: unknown) => unknown;

const DEEPEST = 32;

/**
 * A function that copies exactly the properties that `schema` documents: an undocumented one never leaves the server,
 * whatever a service returns. Dates become ISO text; `null` stays only where the schema says so.
 */
export function compileCopier(schema: Json, components: Json, depth = 0): Copier {
  if (depth > DEEPEST) throw new Error('A schema of an answer is nested too deep or refers to itself');
  const resolved = resolve(schema, components);
  const { properties, items } = resolved as { properties?: Record<string, Json>; items?: Json };
  if (items) {
    const copy = compileCopier(items, components, depth + 1);
    return (value) => (Array.isArray(value) ? value.map(copy) : undefined);
  }
  if (!properties) return copyFree;
  const members = Object.entries(properties).map(([name, member]) => ({
    name,
    copy: compileCopier(member, components, depth + 1),
    nullable: isNullable(member, components),
  }));
  return (value) => {
    if (typeof value !== 'object' || value === null) return value;
    const copied: Json = {};
    for (const { name, copy, nullable } of members) {
      const member = (value as Json)[name];
      if (member === undefined || (member === null && !nullable)) continue;
      copied[name] = member === null ? null : copy(member);
    }
    return copied;
  };
}

/** Text, numbers and free-form JSON stand as they are. */
function copyFree(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}

function resolve(schema: Json, components: Json): Json {
  let resolved = schema;
  while (typeof resolved.$ref === 'string') resolved = components[resolved.$ref.split('/').pop()!] as Json;
  const [only] = (resolved.allOf as Json[] | undefined) ?? [];
  return only ? resolve(only, components) : resolved;
}

function isNullable(schema: Json, components: Json): boolean {
  return schema.nullable === true || resolve(schema, components).nullable === true;
}
