import type { OpenAPIObject } from '@nestjs/swagger';
import type { operationsOf } from '../../src/openapi/operations.js';
import { JSON_SCHEMA_EXTENSION } from '../../src/platform/lists/query-fields.js';
import { Schemas, type Json } from '../suites/hostile/schemas.js';

type Operation = ReturnType<typeof operationsOf>[number];

/** Returns what the common client generators misread: their clients would not compile or would send something else. */
export function generatorFaults(document: OpenAPIObject, operations: readonly Operation[]): string[] {
  const schemas = new Schemas(document);
  return operations.flatMap(({ operation: { operationId, parameters = [] } }) =>
    parameters.flatMap((parameter) =>
      parameterFaults(parameter, schemas).map(
        (fault) => `${operationId}: ${String(parameter.name)} ${fault}`,
      ),
    ),
  );
}

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
