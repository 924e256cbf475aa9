type Json = Record<string, unknown>;

/**
 * Returns all schemas that describe a value: the given or referenced schema with its parts and alternatives, each
 * without references.
 */
export function alternativesOf(schema: Json, components: Json): Json[] {
  const { $ref, allOf, anyOf, oneOf } = schema as { $ref?: string } & Record<string, Json[] | undefined>;
  if (typeof $ref === 'string') return alternativesOf(components[$ref.split('/').pop()!] as Json, components);
  const parts = [allOf, anyOf, oneOf].flatMap((list) => list ?? []);
  return [schema, ...parts.flatMap((part) => alternativesOf(part, components))];
}
