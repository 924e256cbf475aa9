import type { Response } from 'express';
import type { Answer } from './webhook-receiver.service.js';

/**
 * Headers that only the server sets: those of the connection, and those that prevent pages from running scripts on this
 * origin.
 */
const RESERVED =
  /^(connection|content-length|content-security-policy|keep-alive|trailer|transfer-encoding|upgrade|x-content-type-options|x-request-id)$/i;

/** Sends the reply of a workflow, or its replacement: text and bytes verbatim, other values as JSON. */
export function sendAnswer(response: Response, { status, headers = {}, body }: Answer): void {
  response.status(finalStatus(status));
  for (const [name, value] of Object.entries(headers))
    if (!RESERVED.test(name)) setHeader(response, name, value);
  if (body === undefined || body === '') return void response.end();
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return void response.json(body);
  if (typeof body === 'string' && !response.hasHeader('Content-Type')) response.type('text/plain');
  response.send(body);
}

/** Statuses below 200 are not final, and invalid ones cannot be sent; both are replaced with 200. */
const finalStatus = (status: number): number =>
  Number.isInteger(status) && status >= 200 && status <= 599 ? status : 200;

/** Sets a header, or skips it if it is invalid, because workflows can return arbitrary headers. */
function setHeader(response: Response, name: string, value: string | readonly string[]): void {
  try {
    response.setHeader(name, value);
  } catch {
    return;
  }
}
