type Json = Record<string, unknown>;

/** Extension of a schema with named and other properties: the schema of the other ones. */
export const OTHERS_EXTENSION = 'x-additional-properties';

/** Returns the schema of the properties that a schema does not name, or whether it allows any. */
export const othersOf = (schema: Json): unknown => schema[OTHERS_EXTENSION] ?? schema.additionalProperties;

/** Returns the name of the component that a reference leads to. */
export const referredName = (reference: string): string => reference.split('/').pop()!;

/**
 * Returns all schemas that describe a value: the given or referenced schema with its parts and alternatives, each
 * without references.
 */
export function alternativesOf(schema: Json, components: Json): Json[] {
  const { $ref, allOf, anyOf, oneOf } = schema as { $ref?: string } & Record<string, Json[] | undefined>;
  if (typeof $ref === 'string') return alternativesOf(components[referredName($ref)] as Json, components);
  const parts = [allOf, anyOf, oneOf].flatMap((list) => list ?? []);
  return [schema, ...parts.flatMap((part) => alternativesOf(part, components))];
}
