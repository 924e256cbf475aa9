import { tooLarge } from '../platform/server/body-sizes.js';

type Json = Record<string, unknown>;

interface ErrorResponse {
  /** Name of the shared component. */
  name: string;
  description: string;
  example: Json;
  headers?: Json;
}

/** Error responses shared by all operations, as components. */
export const ERRORS: Readonly<Record<string, ErrorResponse>> = {
  400: {
    name: 'BadRequest',
    description: 'The request is invalid. The message names the first invalid field.',
    example: { type: 'Validation', message: 'The request is malformed' },
  },
  401: {
    name: 'Unauthorized',
    description: 'The token or credentials are missing, incorrect, expired or revoked.',
    example: { type: 'Unauthorized', message: 'Invalid access token' },
  },
  403: {
    name: 'Forbidden',
    description:
      'The token has none of the scopes that the operation accepts, and the message lists these. Or the role of the caller does not permit the operation.',
    example: {
      type: 'Forbidden',
      message:
        'Access is forbidden: the token needs one of the scopes all.Organization, all.User, applications.*, applications.post',
    },
  },
  404: {
    name: 'NotFound',
    description: 'The resource does not exist, or the caller is not allowed to see it.',
    example: { type: 'NotFound', message: 'Application was not found' },
  },
  408: {
    name: 'Timeout',
    description: 'The request body took too long to arrive.',
    example: { type: 'Timeout', message: 'The upload was too slow' },
  },
  409: {
    name: 'Conflict',
    description: 'The current state of a resource conflicts with the request.',
    example: { type: 'Conflict', message: 'The job has already ended' },
  },
  410: {
    name: 'Gone',
    description: 'The resource existed but is no longer available.',
    example: { type: 'Gone', message: 'The invitation has expired' },
  },
  413: {
    name: 'PayloadTooLarge',
    description: tooLarge('usual'),
    example: { type: 'PayloadTooLarge', message: 'Request entity too large' },
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body is not JSON.',
    example: {
      type: 'UnsupportedMediaType',
      message: 'Request bodies are JSON: send Content-Type: application/json',
    },
  },
  422: {
    name: 'UnprocessableResources',
    description: 'Too many of the resources in the request are invalid.',
    example: { type: 'Validation', message: 'Too many validation errors occurred.', validationErrors: [] },
  },
  429: {
    name: 'TooManyRequests',
    description: 'Too many requests. Retry after the time in `Retry-After`.',
    example: { type: 'TooManyRequests', message: 'Too many requests' },
    headers: {
      'Retry-After': {
        description: 'Seconds to wait before retrying.',
        schema: { type: 'integer', minimum: 1 },
        example: 30,
      },
    },
  },
  500: {
    name: 'ServerError',
    description: 'An internal error occurred. The server log contains details under the request ID.',
    example: { type: 'Error', message: 'Internal server error (request V1StGXR8_Z5jdHi6B-myT)' },
  },
  503: {
    name: 'Unavailable',
    description: 'A service that the server depends on is unavailable. Retry the request.',
    example: { type: 'Unavailable', message: 'The database is busy, try again' },
  },
  507: {
    name: 'InsufficientStorage',
    description: 'The server has insufficient storage.',
    example: { type: 'InsufficientStorage', message: 'The server has no space for this file' },
  },
};
