import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf, parametersOf } from '../../../src/openapi/operations.js';
import { JSON_SCHEMA_EXTENSION } from '../../../src/platform/lists/query-fields.js';
import type { Json, Schemas } from './schemas.js';

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Json;
  /** Documented example of a parameter that is JSON. */
  example?: unknown;
  isJson: boolean;
}

/** An operation from an attacker's view. */
export interface Target {
  id: string;
  method: string;
  /** Path with `{names}`. */
  path: string;
  open: boolean;
  /** Status of a successful response. */
  status: number;
  query: Parameter[];
  /** Schema of its JSON body. */
  body?: Json;
  /** Schema of its form. */
  form?: Json;
  /** Whether the body is required. */
  needsBody: boolean;
  /** Documented example of the body. */
  example?: unknown;
  /** Scopes that it accepts according to the document. */
  scopes: readonly string[];
  /** Whether every successful response is a stream, which does not end. */
  streams: boolean;
}

/** Returns every operation of a document. */
export function targetsOf(document: OpenAPIObject): Target[] {
  return operationsOf(document).map(({ path, method, operation }) => {
    const parameters = parametersOf(document, operation).map(parameterOf);
    const { content, required = false } = (operation.requestBody ?? {}) as {
      content?: Record<string, { schema: Json; example?: unknown }>;
      required?: boolean;
    };
    const { schema: body, example } = content?.['application/json'] ?? {};
    const status = Object.keys(operation.responses).find((code) => code.startsWith('2'))!;
    const { content: success = {} } = operation.responses[status] as { content?: Record<string, unknown> };
    return {
      id: operation.operationId.replace('_', '.'),
      method: method.toUpperCase(),
      path,
      open: operation.security?.length === 0,
      status: Number(status),
      query: parameters.filter((parameter) => parameter.in === 'query'),
      body,
      form: content?.['multipart/form-data']?.schema,
      needsBody: required,
      example,
      scopes: operation['x-scopes'] as string[],
      streams: 'text/event-stream' in success && !('application/json' in success),
    };
  });
}

/** A JSON parameter is text; an extension contains the schema of the JSON. */
function parameterOf(parameter: Json): Parameter {
  const json = parameter[JSON_SCHEMA_EXTENSION] as Json | undefined;
  if (!json) return { ...parameter, isJson: false } as unknown as Parameter;
  const { example } = parameter.schema as { example: string };
  return { ...parameter, schema: json, example: JSON.parse(example), isJson: true } as unknown as Parameter;
}

/** Returns the names of the IDs in a path. */
export const idsIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** Fills IDs into a path; a `{name}` without a value is kept. */
export const filled = (path: string, ids: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (whole, name: string) => ids[name] ?? whole);

/** Returns the required parameters of a query, with valid values. */
export const requiredQuery = (query: readonly Parameter[], schemas: Schemas): string =>
  query
    .filter(({ required }) => required)
    .map(({ name, schema }) => `${name}=${String(schemas.sample(schema))}`)
    .join('&');
