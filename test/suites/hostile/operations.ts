import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from '../../../src/openapi/document.js';
import type { Json, Schemas } from './schemas.js';

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Json;
  /** Of one that is JSON, what its documentation begins with. */
  example?: unknown;
  isJson: boolean;
}

/** An operation as an attacker sees it. */
export interface Target {
  id: string;
  method: string;
  /** With `{names}`. */
  path: string;
  open: boolean;
  /** That of its success. */
  status: number;
  query: Parameter[];
  /** The schema of its JSON body. */
  body?: Json;
  /** The schema of its form. */
  form?: Json;
  /** Whether the body cannot be left out. */
  needsBody: boolean;
  /** The body that its documentation begins with. */
  example?: unknown;
  /** The scopes that it accepts, as its documentation says. */
  scopes: readonly string[];
  /** Whether every successful response is a stream, which does not end. */
  streams: boolean;
}

/** Every operation of a document. */
export function targetsOf(document: OpenAPIObject): Target[] {
  return operationsOf(document).map(({ path, method, operation }) => {
    const parameters = (operation.parameters ?? []).map(parameterOf);
    const { content, required = false } = (operation.requestBody ?? {}) as {
      content?: Record<string, { schema: Json; example?: unknown }>;
      required?: boolean;
    };
    const { schema: body, example } = content?.['application/json'] ?? {};
    const status = Object.keys(operation.responses).find((code) => code.startsWith('2'))!;
    const success = (operation.responses[status]!.content ?? {}) as object;
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

/** A parameter that is JSON has its schema in its content. */
const parameterOf = ({ content, ...rest }: Json): Parameter =>
  ({
    ...rest,
    ...(content as Record<string, Json> | undefined)?.['application/json'],
    isJson: content !== undefined,
  }) as unknown as Parameter;

/** The names of the ids in a path. */
export const idsIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** A path with its ids filled in; `{name}` without one stays. */
export const filled = (path: string, ids: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (whole, name: string) => ids[name] ?? whole);

/** Those parameters of a query that are required, with values that they take. */
export const requiredQuery = (query: readonly Parameter[], schemas: Schemas): string =>
  query
    .filter(({ required }) => required)
    .map(({ name, schema }) => `${name}=${String(schemas.sample(schema))}`)
    .join('&');
