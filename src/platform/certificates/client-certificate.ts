import { Inject, Injectable } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { Config } from '../../config/config.js';
import { AddressFilter } from '../../lib/http/address-filter.js';
import { ValidationError } from '../../lib/errors/errors.js';
import { readPem } from '../../lib/crypto/pem.js';

const HEADER = 'client-cert';
/** A byte sequence of RFC 8941, the format in which RFC 9440 transmits the certificate. */
const BYTES = /^:([A-Za-z0-9+/]+={0,2}):$/;

/**
 * Certificates with which clients authenticated to a proxy that terminates TLS. Any other client could forge this
 * header, so it is only read from the configured proxies.
 */
@Injectable()
export class ClientCertificates {
  private readonly proxies: AddressFilter;

  constructor(@Inject(Config) { clientCertificateProxies: addresses }: Config) {
    this.proxies = new AddressFilter({ type: 'whitelist', addresses });
  }

  /**
   * Returns the certificate in DER, based on the address of the connection and not on `X-Forwarded-For`. Returns
   * `undefined` if the proxy sends no readable one.
   */
  read({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): Buffer | undefined {
    const value = headers[HEADER];
    if (typeof value !== 'string' || !this.proxies.allows(socket.remoteAddress)) return undefined;
    return derOf(value);
  }
}

/**
 * Returns the DER of a single certificate, encoded as in RFC 9440 or as URL-escaped PEM. Returns `undefined` for
 * anything else.
 */
export function derOf(value: string): Buffer | undefined {
  const bytes = BYTES.exec(value)?.[1];
  if (bytes !== undefined) return Buffer.from(bytes, 'base64');
  try {
    const [der, ...others] = readPem(decodeURIComponent(value), HEADER);
    return others.length ? undefined : der;
  } catch (error) {
    if (error instanceof ValidationError || error instanceof URIError) return undefined;
    throw error;
  }
}
