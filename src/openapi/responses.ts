import { ERRORS } from './error-responses.js';
import type { Json, Operation } from './operations.js';
import { referredName } from '../platform/responses/schema.js';

/**
 * Rate limit headers of responses to requests with a token: those of the limit closer to exhaustion, token or owner.
 */
const RATE_LIMITS = {
  'RateLimit-Limit': {
    description: 'Maximum number of requests in a window of ten seconds.',
    schema: { type: 'integer' },
    example: 1000,
  },
  'RateLimit-Remaining': {
    description: 'Requests remaining in the current window.',
    schema: { type: 'integer', minimum: 0 },
    example: 987,
  },
  'RateLimit-Reset': {
    description: 'Seconds until the next window starts.',
    schema: { type: 'integer', minimum: 0 },
    example: 7,
  },
};

const COMMON_STATUSES = [400, 429, 500, 503];

const REQUEST_ID = {
  description: 'ID of the request, also used in the server log.',
  schema: { type: 'string' },
  example: 'V1StGXR8_Z5jdHi6B-myT',
};

/** Headers of responses, which the document shares. */
export const HEADERS = { 'X-Request-Id': REQUEST_ID, ...RATE_LIMITS };

/** Documents the error responses of an operation: those of every operation, and its own. */
export function documentErrors(operation: Operation): void {
  const open = Array.isArray(operation.security) && operation.security.length === 0;
  const statuses = [
    ...COMMON_STATUSES,
    ...(open ? [] : [401, 403]),
    ...(operation.requestBody ? [413, 415] : []),
  ];
  for (const status of [
    ...statuses,
    ...Object.keys(operation.responses)
      .map(Number)
      .filter((code) => code >= 400),
  ]) {
    operation.responses[status] ??= {};
  }
  for (const [status, response] of Object.entries(operation.responses)) {
    if (Number(status) < 400)
      response.headers = headersNamed('X-Request-Id', ...(open ? [] : Object.keys(RATE_LIMITS)));
    else if (response.description)
      operation.responses[status] = errorResponse(status, ownError(status, response));
    else operation.responses[status] = { $ref: `#/components/responses/${ERRORS[status]!.name}` };
  }
}

/** Declares the response: a named schema, a stream, a file, or nothing. */
export function documentSuccess({ responses }: Operation): void {
  for (const [status, response] of Object.entries(responses)) {
    if (Number(status) >= 400 || response.description) continue;
    const [type, { schema = {} } = {}] =
      Object.entries((response.content ?? {}) as Record<string, { schema?: Json }>)[0] ?? [];
    const { title, $ref } = schema as { title?: string; $ref?: string };
    const named = title ?? ($ref && referredName($ref));
    const returned = named ? `\`${named}\`` : type && `\`${type}\``;
    response.description = [
      `${SUCCESS_DESCRIPTIONS[status] ?? 'The request succeeded'}.`,
      returned && `Returns ${returned}.`,
    ]
      .filter(Boolean)
      .join(' ');
  }
}

const SUCCESS_DESCRIPTIONS: Readonly<Record<string, string>> = {
  201: 'The resource was created',
  202: 'The request was accepted and continues as a job',
  204: 'The request succeeded and has no response body',
};

/** Returns the error responses that operations share. */
export function sharedErrors(): Json {
  return Object.fromEntries(
    Object.entries(ERRORS).map(([status, error]) => [error.name, errorResponse(status, error)]),
  );
}

/** Returns an error that the operation describes itself; the description becomes the message of the example. */
function ownError(status: string, { description, content }: Json): { description: string; example: Json } {
  const words = description as string;
  const { example } = (content as Record<string, { example?: Json }> | undefined)?.['application/json'] ?? {};
  return {
    description: words,
    example: example ?? { ...ERRORS[status]!.example, message: words.replace(/\.$/, '') },
  };
}

/** Returns an error response with an example. */
export function errorResponse(
  status: string,
  { description, example }: { description: string; example: Json },
): Json {
  const { headers } = ERRORS[status]!;
  const schema = { $ref: `#/components/schemas/${status === '422' ? 'ValidationErrors' : 'ErrorResponse'}` };
  return {
    description,
    headers: { ...headersNamed('X-Request-Id'), ...headers },
    content: { 'application/json': { schema, example } },
  };
}

const headersNamed = (...names: string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
