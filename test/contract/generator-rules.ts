import type { OpenAPIObject } from '@nestjs/swagger';
import { parametersOf, type operationsOf } from '../../src/openapi/operations.js';
import { JSON_SCHEMA_EXTENSION } from '../../src/platform/lists/query-fields.js';
import { Schemas, type Json } from '../suites/hostile/schemas.js';

type Operation = ReturnType<typeof operationsOf>[number];

/** Names of components that would shadow what client code uses. */
const GLOBALS = new Set([
  ...Object.getOwnPropertyNames(globalThis),
  ...[
    'Comment',
    'Document',
    'Element',
    'File',
    'Location',
    'Node',
    'Notification',
    'Range',
    'Text',
    'Window',
  ],
]);

/** Returns what the common client generators misread: their clients would not compile or would send something else. */
export function generatorFaults(document: OpenAPIObject, operations: readonly Operation[]): string[] {
  const schemas = new Schemas(document);
  const components = (document.components?.schemas ?? {}) as Record<string, Json>;
  return [
    ...operations.flatMap(({ operation }) =>
      parametersOf(document, operation).flatMap((parameter) =>
        parameterFaults(parameter, schemas).map(
          (fault) => `${operation.operationId}: ${String(parameter.name)} ${fault}`,
        ),
      ),
    ),
    ...repeatedFaults(document, operations),
    ...repeatedErrorFaults(operations),
    ...Object.entries(components).flatMap(([name, schema]) => [
      ...(GLOBALS.has(name) ? [`${name} shadows a global of the same name`] : []),
      ...(Array.isArray(schema.enum) ? enumFaults(schema, true).map((fault) => `${name} ${fault}`) : []),
      ...nodeFaults({ ...schema, enum: undefined }, name),
    ]),
    ...operations.flatMap(({ operation }) => nodeFaults(operation, operation.operationId)),
  ];
}

/** Parameters that several operations repeat are shared, except less frequent ones of the same name. */
function repeatedFaults(document: OpenAPIObject, operations: readonly Operation[]): string[] {
  const shared = (document.components?.parameters ?? {}) as unknown as Record<string, Json>;
  const names = new Set(Object.values(shared).map(({ name }) => name));
  const seen = new Set<string>();
  return operations.flatMap(({ operation: { operationId, parameters = [] } }) =>
    parameters.flatMap((parameter) => {
      const text = JSON.stringify(parameter);
      if (parameter.$ref || names.has(parameter.name)) return [];
      const isFirst = !seen.has(text);
      seen.add(text);
      return isFirst
        ? []
        : [`${operationId}: ${String(parameter.name)} repeats a parameter instead of referring to it`];
    }),
  );
}

/** Equal error responses of several operations are shared. */
function repeatedErrorFaults(operations: readonly Operation[]): string[] {
  const seen = new Set<string>();
  return operations.flatMap(({ operation: { operationId, responses } }) =>
    Object.entries(responses).flatMap(([status, response]) => {
      const text = `${status} ${JSON.stringify(response)}`;
      const isRepeated = Number(status) >= 400 && !response.$ref && seen.has(text);
      seen.add(text);
      return isRepeated
        ? [`${operationId}: its ${status} repeats a response instead of referring to it`]
        : [];
    }),
  );
}

/** Returns the faults of a schema and of all below it. */
function nodeFaults(node: Json, at: string): string[] {
  return [
    ...(Array.isArray(node.enum) ? enumFaults(node, false) : []),
    ...(node.type === 'integer' && node.format === undefined ? ['is an integer without a format'] : []),
    ...(node.properties && typeof node.additionalProperties === 'object'
      ? ['has other properties of a type beside its own, which most languages cannot express']
      : []),
  ]
    .map((fault) => `${at} ${fault}`)
    .concat(
      Object.entries(node).flatMap(([key, child]) => {
        if (typeof child !== 'object' || child === null || key === 'example') return [];
        const typeless = key === 'properties' ? Object.entries(child as Json).filter(isTypeless) : [];
        return [
          ...typeless.map(([name]) => `${at}.${name} has no type`),
          ...nodeFaults(child as Json, key === 'properties' ? at : `${at}.${key}`),
        ];
      }),
    );
}

/** A choice of texts is a component, so that all clients give it one name. Constants and numbers have none. */
function enumFaults(schema: Json, isNamed: boolean): string[] {
  const values = schema.enum as unknown[];
  return [
    ...(values.includes(null) ? ['has null in its enum'] : []),
    ...(!isNamed && values.length > 1 && typeof values[0] === 'string' ? ['is an enum without a name'] : []),
  ];
}

const isTypeless = ([, schema]: [string, unknown]): boolean =>
  !['type', '$ref', 'allOf', 'oneOf', 'anyOf'].some((keyword) => keyword in (schema as Json));

/** JSON in a query is text, with a named schema that its example follows. */
function parameterFaults(parameter: Json, schemas: Schemas): string[] {
  if (parameter.content) return ['has a content, which generators send as [object Object]'];
  const json = parameter[JSON_SCHEMA_EXTENSION] as Json | undefined;
  if (!json) return [];
  const { type, example } = parameter.schema as Json;
  if (type !== 'string') return ['is JSON, but not declared as text'];
  if (typeof json.$ref !== 'string') return ['is JSON with a schema without a name'];
  return schemas.validator(json)(parsed(example)) ? [] : ['has an example that its JSON schema refuses'];
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
