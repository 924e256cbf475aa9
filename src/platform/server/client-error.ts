import { nanoid } from 'nanoid';
import type { Socket } from 'node:net';
import { isExemptFromTimeout } from '../../lib/http/request-timeout.js';

const ERROR_RESPONSES: Readonly<Record<string, readonly [string, string, string]>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'HeadersTooLarge',
    'The headers are too large',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'Timeout', 'The request took too long'],
};
const MALFORMED = ['400 Bad Request', 'Validation', 'The request is malformed'] as const;

/**
 * Responds to malformed or oversized input that never becomes a request, with the same error format as other errors.
 * Listener for `clientError` of a server; closes the connection.
 */
export function handleClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isExemptFromTimeout(socket)) return;
  const { _httpMessage: answer } = socket as { _httpMessage?: { headersSent: boolean } };
  if (socket.writable && !answer?.headersSent) {
    const [status, type, message] = ERROR_RESPONSES[error.code ?? ''] ?? MALFORMED;
    const body = JSON.stringify({ type, message });
    const head = [
      `HTTP/1.1 ${status}`,
      `X-Request-Id: ${nanoid()}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  }
  socket.destroySoon();
}
