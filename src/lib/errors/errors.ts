/** One entry of a 422 answer: what was wrong with one of the resources in a larger operation. */
export interface ResourceProblem {
  type: string;
  name?: string;
  id?: string;
  message: string;
}

/**
 * An answer other than success, thrown anywhere and rendered by the one error filter as `{type, message}`.
 * The message reaches the caller: it never carries SQL, paths or secrets.
 */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly type: string,
    message: string,
    /** Response headers that belong to the error, such as `Retry-After`. */
    readonly headers: Readonly<Record<string, string>> = {},
    readonly validationErrors?: readonly ResourceProblem[],
  ) {
    super(message);
  }
}

/** 400: the request breaks a rule; the message begins with the field at fault (`application.name is required`). */
export class ValidationError extends ApiError {
  constructor(message: string) {
    super(400, 'Validation', message);
  }
}

/** 401: no usable token, or wrong credentials. */
export class Unauthorized extends ApiError {
  constructor(message = 'Invalid access token') {
    super(401, 'Unauthorized', message, { 'WWW-Authenticate': 'Bearer' });
  }
}

/** 403: the token is good, its scope or the member's role is too small. */
export class Forbidden extends ApiError {
  constructor(message = 'Access is forbidden') {
    super(403, 'Forbidden', message);
  }
}

/** 404: missing, or not for this caller to know of. `title` is the resource as its user calls it (`Application`). */
export class NotFound extends ApiError {
  constructor(title: string) {
    super(404, 'NotFound', `${title} was not found`);
  }
}

/** 409: the request meets a state that forbids it. */
export class Conflict extends ApiError {
  constructor(message: string) {
    super(409, 'Conflict', message);
  }
}

/** 410: it was there, and it is too late. */
export class Gone extends ApiError {
  constructor(message: string) {
    super(410, 'Gone', message);
  }
}

/** 413: more than the server takes in one request. */
export class PayloadTooLarge extends ApiError {
  constructor(message = 'Request entity too large') {
    super(413, 'PayloadTooLarge', message);
  }
}

/** 415: a body in a format that the operation does not take. */
export class UnsupportedMediaType extends ApiError {
  constructor(message = 'Request bodies are JSON: send Content-Type: application/json') {
    super(415, 'UnsupportedMediaType', message);
  }
}

/** 422: too many problems in the resources of one larger operation. */
export class UnprocessableResources extends ApiError {
  constructor(message: string, problems: readonly ResourceProblem[]) {
    super(422, 'Validation', message, {}, problems);
  }
}

/** 429: come back after `seconds`. */
export class TooManyRequests extends ApiError {
  constructor(seconds: number, message = 'Too many requests') {
    super(429, 'TooManyRequests', message, { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) });
  }
}

/** 429: so many sign-ins to the account have failed that it takes none before `seconds` have passed. */
export class AccountLocked extends ApiError {
  constructor(seconds: number) {
    const headers = { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) };
    super(429, 'AccountLocked', 'Too many failed sign-ins, try again later', headers);
  }
}

/** 503: something the server needs does not answer; the same request may work in `seconds`. */
export class Unavailable extends ApiError {
  constructor(message: string, seconds = 5) {
    super(503, 'Unavailable', message, { 'Retry-After': String(seconds) });
  }
}

/** 507: there is no room to store it. */
export class InsufficientStorage extends ApiError {
  constructor() {
    super(507, 'InsufficientStorage', 'The server has no room for this file');
  }
}
