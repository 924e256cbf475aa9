import type { OpenAPIObject } from '@nestjs/swagger';
import { referredName } from '../platform/responses/schema.js';

/** Any object of the document. */
export type Json = Record<string, unknown>;

/** An operation of the document. */
export type Operation = Json & {
  operationId: string;
  tags: string[];
  description?: string;
  parameters?: Json[];
  requestBody?: { content: Record<string, Json> };
  responses: Record<string, Json>;
  security?: unknown[];
};

/** Returns all operations of a document with their paths and methods. */
export function operationsOf(
  document: OpenAPIObject,
): { path: string; method: string; operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
      path,
      method,
      operation,
    })),
  );
}

/** Keeps only the first path of each handler; the other paths are aliases for compatible clients. */
export function removeAliases(document: OpenAPIObject): void {
  const known = new Set<string>();
  for (const { path, method, operation } of operationsOf(document)) {
    const item = document.paths[path] as Record<string, unknown>;
    if (known.has(operation.operationId)) delete item[method];
    if (Object.keys(item).length === 0) delete document.paths[path];
    known.add(operation.operationId);
  }
}

/** Returns the parameters of an operation, without references. */
export function parametersOf(
  document: OpenAPIObject,
  { parameters = [] }: Pick<Operation, 'parameters'>,
): Json[] {
  const shared = (document.components?.parameters ?? {}) as unknown as Record<string, Json>;
  return parameters.map((parameter) =>
    typeof parameter.$ref === 'string' ? shared[referredName(parameter.$ref)]! : parameter,
  );
}

/** Returns the responses of an operation by status, without references. */
export function responsesOf(
  document: OpenAPIObject,
  { responses }: Pick<Operation, 'responses'>,
): Record<string, Json> {
  const shared = (document.components?.responses ?? {}) as unknown as Record<string, Json>;
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      typeof response.$ref === 'string' ? shared[referredName(response.$ref)]! : response,
    ]),
  );
}
