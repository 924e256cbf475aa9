/** Entry of a `422` response: a problem with one of the resources of a larger operation. */
export interface ResourceProblem {
  type: string;
  name?: string;
  id?: string;
  message: string;
}

/**
 * An error response, thrown anywhere and rendered by the error filter as `{type, message}`. The message is sent to the
 * caller: it never contains SQL, paths or secrets.
 */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly type: string,
    message: string,
    /** Response headers of the error, such as `Retry-After`. */
    readonly headers: Readonly<Record<string, string>> = {},
    readonly validationErrors?: readonly ResourceProblem[],
  ) {
    super(message);
  }
}

/** `400`: the request violates a rule; the message starts with the field at fault (`application.name is required`). */
export class ValidationError extends ApiError {
  constructor(message: string) {
    super(400, 'Validation', message);
  }
}

/** `401`: no valid token, or wrong credentials. */
export class Unauthorized extends ApiError {
  constructor(message = 'Invalid access token') {
    super(401, 'Unauthorized', message, { 'WWW-Authenticate': 'Bearer' });
  }
}

/** `403`: the token is valid, but its scope or the member's role is insufficient. */
export class Forbidden extends ApiError {
  constructor(message = 'Access is forbidden') {
    super(403, 'Forbidden', message);
  }
}

/** `404`: missing, or not visible to the caller. `title` is the user-facing name of the resource (`Application`). */
export class NotFound extends ApiError {
  constructor(title: string) {
    super(404, 'NotFound', `${title} was not found`);
  }
}

/** `409`: the request conflicts with the current state. */
export class Conflict extends ApiError {
  constructor(message: string) {
    super(409, 'Conflict', message);
  }
}

/** `410`: the resource existed, but is no longer available. */
export class Gone extends ApiError {
  constructor(message: string) {
    super(410, 'Gone', message);
  }
}

/** `413`: the request exceeds the server's size limit. */
export class PayloadTooLarge extends ApiError {
  constructor(message = 'Request entity too large') {
    super(413, 'PayloadTooLarge', message);
  }
}

/** `415`: the operation does not support the format of the body. */
export class UnsupportedMediaType extends ApiError {
  constructor(message = 'Request bodies are JSON: send Content-Type: application/json') {
    super(415, 'UnsupportedMediaType', message);
  }
}

/** `422`: too many problems in the resources of a larger operation. */
export class UnprocessableResources extends ApiError {
  constructor(message: string, problems: readonly ResourceProblem[]) {
    super(422, 'Validation', message, {}, problems);
  }
}

/** `429`: retry after `seconds`. */
export class TooManyRequests extends ApiError {
  constructor(seconds: number, message = 'Too many requests') {
    super(429, 'TooManyRequests', message, { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) });
  }
}

/** `429`: too many failed sign-ins to the account; further attempts are rejected for `seconds`. */
export class AccountLocked extends ApiError {
  constructor(seconds: number) {
    const headers = { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) };
    super(429, 'AccountLocked', 'Too many failed sign-ins, try again later', headers);
  }
}

/** `503`: a dependency of the server does not respond; the same request may succeed after `seconds`. */
export class Unavailable extends ApiError {
  constructor(message: string, seconds = 5) {
    super(503, 'Unavailable', message, { 'Retry-After': String(seconds) });
  }
}

/** `507`: insufficient storage. */
export class InsufficientStorage extends ApiError {
  constructor() {
    super(507, 'InsufficientStorage', 'The server has no space for this file');
  }
}
