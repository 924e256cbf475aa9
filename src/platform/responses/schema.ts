type Json = Record<string, unknown>;

/**
 * The schemas that together say what a value may be: the one that is given or referred to, and the parts and
 * alternatives of it, each without references.
 */
export function alternativesOf(schema: Json, components: Json): Json[] {
  const { $ref, allOf, anyOf, oneOf } = schema as { $ref?: string } & Record<string, Json[] | undefined>;
  if (typeof $ref === 'string') return alternativesOf(components[$ref.split('/').pop()!] as Json, components);
  const parts = [allOf, anyOf, oneOf].flatMap((list) => list ?? []);
  return [schema, ...parts.flatMap((part) => alternativesOf(part, components))];
}
