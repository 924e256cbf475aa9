import { readFileSync } from 'node:fs';
import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from '../../src/openapi/operations.js';
import { Schemas, type Json } from '../suites/hostile/schemas.js';
import { closed } from './client.js';

const FILE = new URL('../../openapi/openapi.json', import.meta.url);
let known: { schemas: Schemas; operations: Map<string, Json> } | undefined;

/** The committed document, which a suite compares with the code. */
function committed() {
  if (known) return known;
  const document = JSON.parse(readFileSync(FILE, 'utf8')) as OpenAPIObject;
  const operations = operationsOf(document).map(
    ({ operation }) => [operation.operationId.replace('_', '.'), operation as Json] as const,
  );
  const components = closed(document.components) as OpenAPIObject['components'];
  return (known = { schemas: new Schemas({ ...document, components }), operations: new Map(operations) });
}

/** Throws if a callback does not match the document of the operation that it names. */
export function holdCallback(body: { type: string; data: object }): void {
  const callbacks = committed().operations.get(body.type)?.callbacks as
    | { jobEnded: Record<string, { post: { requestBody: { content: Record<string, { schema: Json }> } } }> }
    | undefined;
  const [item] = Object.values(callbacks?.jobEnded ?? {});
  if (!item) throw new Error(`${body.type} documents no callback`);
  hold(`The callback of ${body.type}`, item.post.requestBody.content['application/json']!.schema, body);
}

/** Throws if an event does not match the document of the operation that streams it. */
export function holdEvent(operation: string, { event, data }: { event: string; data: unknown }): void {
  const { responses } = committed().operations.get(operation) as {
    responses: Record<string, { content: Record<string, { 'x-events': Record<string, Json> }> }>;
  };
  const schema = responses[200]!.content['text/event-stream']!['x-events'][event];
  if (!schema) throw new Error(`${operation} documents no event ${event}`);
  hold(`The event ${event} of ${operation}`, schema, data);
}

function hold(at: string, schema: Json, value: unknown): void {
  const validate = committed().schemas.validator(schema);
  if (!validate(value))
    throw new Error(`${at}: ${JSON.stringify(validate.errors)} in ${JSON.stringify(value)}`);
}
