import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { errorCode } from '../database/error-code.js';
import {
  ApiError,
  NotFound,
  PayloadTooLarge,
  Unavailable,
  UnsupportedMediaType,
  ValidationError,
} from './errors.js';

/** Says which verbs a path takes, so that a wrong verb is 405 and not 404. */
export type AllowedMethods = (path: string) => string[];

/** Renders whatever was thrown as `{type, message}`. What is no `ApiError` is logged and answered without details. */
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
    // A handler may have promised another type.
    response.status(error.status).type('json');
    for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
    const { type, message, validationErrors } = error;
    response.json({ type, message, ...(validationErrors ? { validationErrors } : {}) });
  }

  private apiErrorOf(thrown: unknown, request: Request & { id?: string }): ApiError {
    if (thrown instanceof ApiError) return thrown;
    if (thrown instanceof HttpException) return this.httpError(thrown, request);
    if (errorCode(thrown).startsWith('22'))
      return new ValidationError('A value is out of the range that can be stored');
    // What the row belongs to was removed in this very moment.
    if (errorCode(thrown) === '23503') return new NotFound('What it belongs to');
    if (isConnectionLoss(thrown)) {
      this.logger.error({ err: thrown, requestId: request.id });
      return new Unavailable('The database does not answer, try again');
    }
    this.logger.error({ err: thrown, requestId: request.id });
    return new ApiError(500, 'Error', `Internal server error (request ${request.id ?? 'unknown'})`);
  }

  /** Nest's own exceptions: a path without a route, a percent-encoding that is none, an upload past its limits. */
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

/** The database is gone, restarting, or has no connection left. */
function isConnectionLoss(error: unknown): boolean {
  const code = errorCode(error);
  if (/^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|57P0[123]|53300|08\w{3}|57014|55P03)$/.test(code))
    return true;
  return (
    error instanceof Error &&
    /Connection terminated|Query read timeout|timeout exceeded when trying to connect/.test(error.message)
  );
}
