import compression from 'compression';
import type { NextFunction, Request, Response } from 'express';
import { constants } from 'node:zlib';

/** Length in characters below which compression takes longer than sending the response unchanged. */
const MIN_COMPRESSED_LENGTH = 2048;
/** The lowest level reduces lists to an eighth. Higher levels take twice as long and save only another tenth. */
const compress = compression({ level: 1, brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } } });

/**
 * Calls `send`, which ends a response with `text`. Compresses the response if it is long and the client accepts that.
 * Other responses are not affected, so that streams are not buffered.
 */
export function sendCompressed(response: Response, text: string, send: () => unknown): void {
  const { req } = response;
  if (text.length < MIN_COMPRESSED_LENGTH || req.headers['accept-encoding'] === undefined) send();
  else compress(req, response, send);
}

/** Compresses the API document and the files of its pages. */
export function compressDocument(request: Request, response: Response, next: NextFunction): void {
  if (/^\/(docs|openapi)\b/.test(request.url)) compress(request, response, next);
  else next();
}
