import type { NextFunction, Request, Response } from 'express';

/** What is on its way in any case when an answer is out. */
const LITTLE = 64 * 1024;
const LINGER_MS = 1_000;

/**
 * Who is answered before a large body was read may send the rest of it for a second, so that the answer gets through; then
 * the connection is closed. Nothing keeps what comes meanwhile.
 */
export function boundUnread(request: Request, response: Response, next: NextFunction): void {
  const { 'content-length': length, 'transfer-encoding': chunked } = request.headers;
  if (chunked !== undefined || Number(length ?? 0) > LITTLE) {
    response.once('finish', () => {
      if (request.complete) return;
      const patience = setTimeout(() => request.socket.destroy(), LINGER_MS);
      request.once('close', () => clearTimeout(patience));
    });
  }
  next();
}
