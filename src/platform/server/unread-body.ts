import type { NextFunction, Request, Response } from 'express';
import type { IncomingMessage } from 'node:http';

/** Number of bytes that may be in transit when the response is sent. */
const MAX_IN_FLIGHT_BYTES = 64 * 1024;
/** A second in parts, so that a process that hung for longer can still read the data that arrived in the meantime. */
const PART_MS = 250;
const PARTS = 4;

/**
 * Limits bodies that are unread when the response is sent: the client may continue for a second, so that it receives
 * the response, then the connection is closed. The received data is discarded.
 */
export function limitUnreadBody(request: Request, response: Response, next: NextFunction): void {
  const { 'content-length': length, 'transfer-encoding': chunked } = request.headers;
  if (chunked !== undefined || Number(length ?? 0) > MAX_IN_FLIGHT_BYTES)
    response.once('finish', () => closeUnlessRead(request));
  next();
}

/** Closes the connection of a request whose response was sent, unless all of its body arrives within a second. */
export function closeUnlessRead(request: IncomingMessage): void {
  if (request.complete) return;
  let parts = 0;
  // The request does not emit `close` after its response, so the timer must end by itself.
  const patience = setInterval(() => {
    parts++;
    if (!request.complete && parts < PARTS) return;
    clearInterval(patience);
    if (!request.complete) request.socket.destroy();
  }, PART_MS);
}
