import compression from 'compression';
import type { NextFunction, Request, Response } from 'express';
import { constants } from 'node:zlib';

/** Characters below which an answer goes out sooner as it stands. */
const SHORTEST = 2048;
/** Lists shrink to an eighth at the lowest level; the next ones cost twice as much and save a tenth of the rest. */
const compress = compression({ level: 1, brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } } });

/**
 * Calls `send`, which ends an answer with `text`, compressed where that is long and the caller takes it. All other answers
 * are left as they are, so that nothing is held back of what goes out bit by bit.
 */
export function sendCompressed(response: Response, text: string, send: () => unknown): void {
  const { req } = response;
  if (text.length < SHORTEST || req.headers['accept-encoding'] === undefined) send();
  else compress(req, response, send);
}

/** Compresses the document and the files of its pages. */
export function compressDocument(request: Request, response: Response, next: NextFunction): void {
  if (/^\/(docs|openapi)\b/.test(request.url)) compress(request, response, next);
  else next();
}
