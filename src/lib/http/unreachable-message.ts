import { OutboundError } from './outbound-error.js';

const TLS_CODE = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|ERR_OSSL)/;

/**
 * Returns the message about a server that could not be reached, for callers who chose its address. It gives the reason
 * only if that is the certificate or the TLS protocol of the server. Other reasons would map the local network.
 */
export function unreachableMessage(cause: unknown): string {
  const { message } = new OutboundError('unreachable');
  return isTlsError(cause) ? `${message}: ${cause.message}` : message;
}

const isTlsError = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && TLS_CODE.test(error.code);
