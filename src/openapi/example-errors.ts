import type { OpenAPIObject } from '@nestjs/swagger';
import { invalidRequestsOf } from './invalid-requests.js';
import { operationsOf, type Operation } from './operations.js';
import { errorResponse } from './responses.js';
import { ERRORS } from './error-responses.js';

/**
 * Gives each `400` a message that the very operation responds with. Operations with different bodies have different
 * messages. Operations without any input keep the response that all of them share.
 */
export function documentInvalidRequests(document: OpenAPIObject): void {
  /** Schema of the body by message. */
  const told = new Map<string, string>();
  for (const { operation } of operationsOf(document)) {
    const body = bodyOf(operation);
    const invalid = invalidRequestsOf(operation, document).find(
      ({ message }) => body === undefined || (told.get(message) ?? body) === body,
    );
    if (!invalid) continue;
    const { message } = invalid;
    if (body !== undefined) told.set(message, body);
    const { description = ERRORS[400]!.description } = operation.responses[400] as { description?: string };
    const example = { type: 'Validation', message };
    operation.responses[400] = errorResponse('400', { description, example });
  }
}

/** Returns what identifies the schema of a body, if the operation has one. */
function bodyOf({ requestBody }: Operation): string | undefined {
  const [content] = Object.values(requestBody?.content ?? {});
  return content && JSON.stringify(content.schema);
}
