import type { OpenAPIObject } from '@nestjs/swagger';
import { UNSAMPLED } from '../platform/fields/fields.js';
import { nameValues } from './example-values.js';
import { operationsOf, type Json, type Operation } from './operations.js';
import { referredName } from '../platform/responses/schema.js';

type Schemas = Readonly<Record<string, Json>>;

const JSON_TYPE = 'application/json';
const EXAMPLES = '#/components/examples/';
/** Parameters whose defaults a list repeats. */
const REPEATED = ['sortField', 'sortDirection', 'perPage', 'limit'];

/**
 * Adds an example to every JSON response of success: the sample of its schema, shared by all responses that have the
 * schema. Samples consist of the examples of properties, so that a resource looks the same in bodies and responses.
 */
export function documentExamples(document: OpenAPIObject): void {
  nameValues(document);
  const schemas = (document.components!.schemas ?? {}) as Record<string, Json>;
  const examples: Record<string, { value: unknown }> = {};
  for (const { method, operation } of operationsOf(document)) {
    for (const media of successesOf(operation)) {
      const { schema } = media as { schema: Json };
      const name = typeof schema.$ref === 'string' ? referredName(schema.$ref) : undefined;
      if (name === undefined) {
        media.example = sampleOf(schema, schemas);
        continue;
      }
      const sample = (examples[name] ??= { value: repeating(operation, sampleOf(schema, schemas)) }).value;
      const changed = changedBy(operation, method, sample);
      if (changed) media.example = changed;
      else media.examples = { sample: { $ref: `${EXAMPLES}${name}` } };
    }
  }
  document.components!.examples = Object.fromEntries(
    Object.entries(examples).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  withoutMarks(schemas);
  withoutMarks(document.paths);
}

/** Returns the JSON contents of the successful responses. */
function successesOf({ responses }: Operation): Json[] {
  return Object.entries(responses).flatMap(([status, { content }]) => {
    const media = (content as Record<string, Json> | undefined)?.[JSON_TYPE];
    return Number(status) < 400 && media ? [media] : [];
  });
}

/**
 * Returns the value that the examples in a schema make up; `undefined` if it has none. Lists show only the properties
 * that they always have, because the others repeat what a request asked for.
 */
export function sampleOf(schema: Json, schemas: Schemas, above: readonly string[] = []): unknown {
  if (schema.example !== undefined) return schema.example;
  if (typeof schema.$ref === 'string') {
    const name = referredName(schema.$ref);
    return above.includes(name) ? undefined : sampleOf(schemas[name]!, schemas, [...above, name]);
  }
  const inside = (part: Json) => sampleOf(part, schemas, above);
  const { allOf, oneOf, anyOf, properties, items } = schema as Record<string, Json[] | undefined> & {
    properties?: Record<string, Json>;
    items?: Json;
  };
  if (allOf) return allOf.length === 1 ? inside(allOf[0]!) : Object.assign({}, ...allOf.map(inside));
  const [alternative] = oneOf ?? anyOf ?? [];
  if (alternative) return inside(alternative);
  if (schema.enum) return (schema.enum as unknown[])[0];
  if (items) return [inside(items)].filter((item) => item !== undefined);
  if (schema.type !== 'object') return schema.type === 'boolean' ? true : undefined;
  const required = schema.required as string[] | undefined;
  const isPage = properties?.items && properties.count;
  const shown = Object.entries(properties ?? {}).filter(
    ([name, property]) =>
      !(UNSAMPLED in property) && !property.writeOnly && (!isPage || required?.includes(name)),
  );
  return Object.fromEntries(
    shown.map(([name, property]) => [name, inside(property)]).filter(([, value]) => value !== undefined),
  );
}

/** Returns the resource after the change that is the example of a `PATCH`, unless it shows the same as the sample. */
function changedBy({ requestBody }: Operation, method: string, sample: unknown): Json | undefined {
  const changes = requestBody?.content[JSON_TYPE]?.example as Json | undefined;
  if (method !== 'patch' || !changes) return undefined;
  const shown = sample as Json;
  const own = Object.entries(changes).filter(
    ([name, value]) => name in shown && JSON.stringify(value) !== JSON.stringify(shown[name]),
  );
  return own.length > 0 ? { ...shown, ...Object.fromEntries(own) } : undefined;
}

/** Gives the sample of a list the defaults of its operation. */
function repeating({ parameters = [] }: Operation, sample: unknown): unknown {
  const list = sample as Json;
  for (const { name, schema } of parameters as { name: string; schema?: Json }[])
    if (REPEATED.includes(name) && schema?.default !== undefined && list[name] !== undefined)
      list[name] = schema.default;
  return list;
}

function withoutMarks(node: Json): void {
  delete node[UNSAMPLED];
  for (const child of Object.values(node))
    if (typeof child === 'object' && child !== null) withoutMarks(child as Json);
}
