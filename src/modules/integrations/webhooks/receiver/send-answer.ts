import type { Response } from 'express';
import type { Answer } from './webhook-receiver.service.js';

/** Headers that are the server's own: those of the connection, and those that keep a page from running scripts here. */
const RESERVED =
  /^(connection|content-length|content-security-policy|keep-alive|trailer|transfer-encoding|upgrade|x-content-type-options|x-request-id)$/i;

/** Sends what a workflow replied, or what stands for it: text as it is, anything else as JSON. */
export function sendAnswer(response: Response, { status, headers = {}, body }: Answer): void {
  response.status(finalStatus(status));
  for (const [name, value] of Object.entries(headers))
    if (!RESERVED.test(name)) setHeader(response, name, value);
  if (body === undefined || body === null) return void response.end();
  if (typeof body !== 'string') return void response.json(body);
  if (!response.hasHeader('Content-Type')) response.type('text/plain');
  response.send(body);
}

/** A status below 200 says that the answer is still to come, and one that is none cannot be sent: 200 in their place. */
const finalStatus = (status: number): number =>
  Number.isInteger(status) && status >= 200 && status <= 599 ? status : 200;

/** Workflows make headers of what they like; what HTTP cannot carry is left out. */
function setHeader(response: Response, name: string, value: unknown): void {
  try {
    response.setHeader(name, String(value));
  } catch {
    return;
  }
}
