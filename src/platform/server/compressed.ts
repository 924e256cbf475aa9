import compression from 'compression';
import type { NextFunction, Request, Response } from 'express';
import { constants } from 'node:zlib';
import { COMPRESSION } from '../../lib/http/compression.js';
import { tenantOf } from '../throttle/tenant.js';

/** Length in characters below which compression takes longer than sending the response unchanged. */
const MIN_COMPRESSED_LENGTH = 2048;
/** The lowest level reduces lists to an eighth. Higher levels take twice as long and save only another tenth. */
const compressor = compression({ level: 1, brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } } });

/**
 * Compresses the response that `send` writes. It is sent unchanged if too many responses of the tenant are being
 * compressed, because a request that has taken effect must not be refused.
 */
function compress(request: Request, response: Response, send: () => unknown): void {
  const release = COMPRESSION.tryAcquire(tenantOf(request));
  if (!release) {
    response.vary('Accept-Encoding');
    send();
    return;
  }
  response.once('close', release);
  compressor(request, response, send);
}

/**
 * Calls `send`, which ends a response with JSON. Compresses the response if it is long and the client accepts that,
 * within the budget of the tenant. Other responses are not affected, so that streams are not buffered.
 */
export function sendCompressed(response: Response, { length }: string, send: () => unknown): void {
  const { req } = response;
  if (length < MIN_COMPRESSED_LENGTH || req.headers['accept-encoding'] === undefined) send();
  else compress(req, response, send);
}

/** Compresses the API document and the files of its pages. */
export function compressDocument(request: Request, response: Response, next: NextFunction): void {
  if (/^\/(docs|openapi)\b/.test(request.url)) compress(request, response, next);
  else next();
}
