import cors from 'cors';
import type { NextFunction, Request, Response } from 'express';

const DAY_SECONDS = 86_400;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** Response headers that pages may read in addition to the CORS-safelisted ones. */
const EXPOSED = [
  'X-Request-Id',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Content-Disposition',
  'Location',
  'ETag',
  'WWW-Authenticate',
];

/** Uploads, downloads and public files: access depends on the form or link only, so all origins are allowed. */
const FILES = /^\/(blobs|files)([/?]|$)/;

/**
 * Handles CORS: lets pages of other origins call the platform and read responses, and answers preflight requests. Any
 * request header is allowed. Files are accessible from all origins. Browser credentials are never allowed, because
 * tokens are sent in a header that the page sets itself.
 */
export function crossOrigin(
  origins: '*' | string[],
): (request: Request, response: Response, next: NextFunction) => void {
  const allowing = (origin: '*' | string[]) =>
    cors({
      origin,
      methods: METHODS,
      exposedHeaders: EXPOSED,
      maxAge: DAY_SECONDS,
      optionsSuccessStatus: 204,
    });
  const allow = allowing(origins);
  const allowAll = allowing('*');
  return (request, response, next) => {
    const { origin, 'access-control-request-method': asked } = request.headers;
    // The package treats all OPTIONS requests as preflight requests, but webhooks accept others.
    if (origin === undefined || (request.method === 'OPTIONS' && asked === undefined)) return next();
    (FILES.test(request.url) ? allowAll : allow)(request, response, next);
  };
}
