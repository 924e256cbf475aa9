import type { OpenAPIObject } from '@nestjs/swagger';
import { pathIdOf } from '../platform/access/path-id.js';
import { ID_PATTERN } from '../platform/fields/fields.js';
import { describeFaults } from '../lib/json/schema-faults.js';
import { MAX_TIME } from '../platform/lists/list-query.js';
import { JSON_SCHEMA_EXTENSION } from '../platform/lists/query-fields.js';
import type { Json, Operation } from './operations.js';

/** A request that an operation rejects with `400`, by its part that is invalid, and the message of the response. */
export type InvalidRequest = { message: string } & (
  | { body: unknown }
  | { query: Readonly<Record<string, string>> }
  | { path: Readonly<Record<string, string>> }
  | { fileField: string }
);

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Json;
}

/** Values that are no text, no number and so on, and therefore invalid for most types. */
const WRONG: Readonly<Record<string, unknown>> = {
  string: 42,
  integer: 'many',
  number: 'many',
  boolean: 'maybe',
  array: 'none',
  object: 'none',
};
const NOT_A_VALUE = 'x';

/**
 * Returns invalid requests of an operation, the most telling first. Its body lacks a required property or has one of
 * the wrong type, its form lacks the file, a query parameter is invalid, or an ID in the path is malformed.
 */
export function invalidRequestsOf(operation: Operation, document: OpenAPIObject): InvalidRequest[] {
  const resolve = (node: Json): Json => resolved(node, document);
  const { content = {}, description } = (operation.requestBody ?? {}) as {
    content?: Record<string, Json>;
    description?: string;
  };
  const json = content['application/json'] as { schema: Json; example?: unknown } | undefined;
  const form = content['multipart/form-data'] as { schema: Json } | undefined;
  const parameters = (operation.parameters ?? []).map(
    (parameter) => resolve(parameter) as unknown as Parameter,
  );
  const name = /`(\w+)`/.exec(String(description))?.[1] ?? '';
  return [
    ...(json ? invalidBodies(name, resolve(json.schema), json.example, resolve) : []),
    ...(form ? invalidForms(resolve(form.schema)) : []),
    ...[...parameters].sort(byTelling).flatMap((parameter) => invalidQuery(parameter, resolve)),
    ...invalidPath(parameters),
  ];
}

function invalidBodies(
  name: string,
  schema: Json,
  example: unknown,
  resolve: (node: Json) => Json,
): InvalidRequest[] {
  const { properties, required = [] } = schema as { properties?: Record<string, Json>; required?: string[] };
  if (!properties) {
    const types = [...new Set(alternatives(schema, resolve).map(({ type }) => String(type)))];
    return [{ message: typeFault(name, '', types), body: WRONG[types[0]!] }];
  }
  const valid = example as Json;
  const missing = required.map((property) => {
    const { [property]: _omitted, ...rest } = valid;
    const message = describeFaults(name, [
      { keyword: 'required', instancePath: '', schemaPath: '', params: { missingProperty: property } },
    ]);
    return { message, body: rest };
  });
  const mistyped = Object.entries(properties).flatMap(([property, given]) => {
    const { type } = resolve(given);
    if (typeof type !== 'string') return [];
    return [
      { message: typeFault(name, `/${property}`, [type]), body: { ...valid, [property]: WRONG[type] } },
    ];
  });
  return [...missing, ...mistyped];
}

const typeFault = (name: string, at: string, types: readonly string[]): string =>
  describeFaults(
    name,
    types.map((type) => ({ keyword: 'type', instancePath: at, schemaPath: '', params: { type } })),
  );

/** Returns the schemas of which a value fits one. */
function alternatives(schema: Json, resolve: (node: Json) => Json): Json[] {
  const several = (schema.oneOf ?? schema.anyOf) as Json[] | undefined;
  return several ? several.flatMap((each) => alternatives(resolve(each), resolve)) : [schema];
}

function invalidForms({ properties }: Json): InvalidRequest[] {
  const file = Object.entries(properties as Record<string, Json>).find(
    ([, { format }]) => format === 'binary',
  );
  return file ? [{ message: `The file field must be named ${file[0]}`, fileField: `${file[0]}s` }] : [];
}

/** Required parameters tell more than sort fields, and these more than limits. */
const byTelling = (one: Parameter, other: Parameter): number => rankOf(one) - rankOf(other);
const rankOf = ({ required, schema = {} }: Parameter): number => (required ? 0 : schema.enum ? 1 : 2);

function invalidQuery(parameter: Parameter, resolve: (node: Json) => Json): InvalidRequest[] {
  const { name, required } = parameter;
  // JSON has errors of its own.
  if (parameter.in !== 'query' || JSON_SCHEMA_EXTENSION in parameter) return [];
  if (required) return [{ message: `${name} is required`, query: {} }];
  const schema = parameter.schema && resolve(parameter.schema);
  const rule = schema && ruleOf(name, schema);
  if (!rule) return [];
  const value = NOT_A_VALUE.repeat(Number(schema.maxLength ?? 0) + 1);
  return [{ message: `${name} ${rule}`, query: { [name]: value } }];
}

/** Returns what a parameter must be, in the words of its parser; `undefined` if it accepts any text. */
function ruleOf(name: string, schema: Json): string | undefined {
  const { minimum, maximum, maxLength } = schema as Record<string, number | undefined>;
  // Also accepted in upper case.
  if (name === 'sortDirection') return undefined;
  if (schema.enum) return `must be one of ${(schema.enum as string[]).join(', ')}`;
  if (schema.pattern === ID_PATTERN) return 'must be 24 hexadecimal digits';
  if (maxLength !== undefined) return `must have at most ${maxLength} characters`;
  if (schema.type === 'boolean') return 'must be true, false, 1 or 0';
  if (schema.type !== 'integer' || minimum === undefined || maximum === undefined) return undefined;
  if (maximum < MAX_TIME) return `must be an integer from ${minimum} to ${maximum}`;
  return `must be an integer, milliseconds since 1970${minimum < 0 ? ' or, below 1, from now' : ''}`;
}

function invalidPath(parameters: readonly Parameter[]): InvalidRequest[] {
  const id = parameters.filter(({ in: place, name }) => place === 'path' && name.endsWith('Id')).at(-1);
  if (!id) return [];
  const message = `${id.name} is not ${pathIdOf(id.name).form}`;
  return [{ message, path: { [id.name]: NOT_A_VALUE } }];
}

/** Follows references, and the wrapper of a single `allOf`. */
function resolved(node: Json, document: OpenAPIObject): Json {
  if (typeof node.$ref === 'string') {
    const [kind = '', name = ''] = node.$ref.replace('#/components/', '').split('/');
    return resolved(
      (document.components as unknown as Record<string, Record<string, Json>>)[kind]![name]!,
      document,
    );
  }
  const [only, ...others] = (node.allOf as Json[] | undefined) ?? [];
  return only && others.length === 0 ? { ...resolved(only, document), ...node } : node;
}
