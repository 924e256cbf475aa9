/**
 * Reason for a failed request.
 * - `request`: not allowed because of its scheme, port, user information or headers.
 * - `address`: leads to a private address.
 * - `unreachable`: unknown name, no connection or an invalid response.
 * - `redirects`: too many redirects.
 * - `timeout`: no complete response in time.
 * - `size`: the response is too large.
 */
export type OutboundReason = keyof typeof MESSAGES;

const MESSAGES = {
  request: 'The outgoing request is not allowed',
  address: 'The outgoing request leads to an address that is not public',
  unreachable: 'The other server cannot be reached',
  redirects: 'The other server redirects too many times',
  timeout: 'The other server did not respond in time',
  size: 'The response of the other server is too large',
};

/** A failed outgoing request. The reason is for logs only: callers could use it to map the local network. */
export class OutboundError extends Error {
  constructor(
    readonly reason: OutboundReason,
    options?: ErrorOptions,
  ) {
    super(MESSAGES[reason], options);
  }
}
