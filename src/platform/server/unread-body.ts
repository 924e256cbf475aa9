import type { NextFunction, Request, Response } from 'express';

/** Number of bytes that may be in transit when the response is sent. */
const MAX_IN_FLIGHT_BYTES = 64 * 1024;
const LINGER_MS = 1_000;

/**
 * Limits bodies that are unread when the response is sent: the client may continue for a second, so that it receives
 * the response, then the connection is closed. The received data is discarded.
 */
export function limitUnreadBody(request: Request, response: Response, next: NextFunction): void {
  const { 'content-length': length, 'transfer-encoding': chunked } = request.headers;
  if (chunked !== undefined || Number(length ?? 0) > MAX_IN_FLIGHT_BYTES) {
    response.once('finish', () => {
      if (request.complete) return;
      const patience = setTimeout(() => request.socket.destroy(), LINGER_MS);
      request.once('close', () => clearTimeout(patience));
    });
  }
  next();
}
