import cors from 'cors';
import type { NextFunction, Request, Response } from 'express';

const DAY_SECONDS = 86_400;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** What a page may read of an answer beside what it may always. */
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

/** Uploads, downloads and public files: the form or link is the right to them, and no origin has more of it than another. */
const FILES = /^\/(blobs|files)([/?]|$)/;

/**
 * Lets pages of other origins call and read the platform, and answers what browsers ask before they do. Any header may be
 * sent. Files are for pages of all origins. Credentials of the browser's never are: a token travels in a header that the page itself sets.
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
    // To the package every OPTIONS is a browser's; a webhook takes those that are not.
    if (origin === undefined || (request.method === 'OPTIONS' && asked === undefined)) return next();
    (FILES.test(request.url) ? allowAll : allow)(request, response, next);
  };
}
