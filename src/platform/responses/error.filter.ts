import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { databaseError } from './database-errors.js';
import {
  ApiError,
  NotFound,
  PayloadTooLarge,
  Unavailable,
  UnsupportedMediaType,
  ValidationError,
} from '../../lib/errors/errors.js';

/** Returns the methods that a path supports, so that an unsupported method is answered with `405` instead of `404`. */
export type AllowedMethods = (path: string) => string[];

/**
 * Renders all thrown errors as `{type, message}`. Anything other than an `ApiError` is logged and answered without
 * details.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Request');

  constructor(private readonly allowed: AllowedMethods) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request & { id?: string }>();
    const response = http.getResponse<Response>();
    const error = this.apiErrorOf(thrown, request);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    // A handler may have set another content type.
    response.status(error.status).type('json');
    for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
    const { type, message, validationErrors } = error;
    response.json({ type, message, ...(validationErrors ? { validationErrors } : {}) });
  }

  private apiErrorOf(thrown: unknown, request: Request & { id?: string }): ApiError {
    if (thrown instanceof ApiError) return thrown;
    if (thrown instanceof HttpException) return this.httpError(thrown, request);
    const known = databaseError(thrown);
    if (known && known.status < 500) return known;
    this.logger.error({ err: thrown, requestId: request.id });
    if (known) return known;
    return new ApiError(500, 'Error', `Internal server error (request ${request.id ?? 'unknown'})`);
  }

  /** Converts Nest's own exceptions: an unknown path, invalid percent-encoding, an upload beyond its limits. */
  private httpError(thrown: HttpException, request: Request): ApiError {
    const status = thrown.getStatus();
    if (status === 404) {
      const allowed = this.allowed(request.path);
      return allowed.length
        ? new ApiError(405, 'MethodNotAllowed', `${request.method} is not allowed here`, {
            Allow: allowed.join(', '),
          })
        : new NotFound('This path');
    }
    if (status === 413) return new PayloadTooLarge();
    if (status === 415) return new UnsupportedMediaType();
    if (status === 503) return new Unavailable(thrown.message);
    return status < 500
      ? new ValidationError(thrown.message)
      : new ApiError(500, 'Error', 'Internal server error');
  }
}
