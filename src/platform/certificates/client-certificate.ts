import { Inject, Injectable } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { Config } from '../../config/config.js';
import { AddressFilter } from '../../lib/http/address-filter.js';
import { ValidationError } from '../../lib/errors/errors.js';
import { readPem } from '../../lib/crypto/pem.js';

const HEADER = 'client-cert';
/** A byte sequence of RFC 8941, in which RFC 9440 has the certificate. */
const BYTES = /^:([A-Za-z0-9+/]+={0,2}):$/;

/**
 * The certificates with which clients proved themselves to a proxy that ends TLS. Whoever is not one of the proxies of the
 * configuration could write anything into that header, so of them it is not read.
 */
@Injectable()
export class ClientCertificates {
  private readonly proxies: AddressFilter;

  constructor(@Inject(Config) { clientCertificateProxies: addresses }: Config) {
    this.proxies = new AddressFilter({ type: 'whitelist', addresses });
  }

  /** DER of what the connection itself says, whatever X-Forwarded-For tells; nothing where a proxy says nothing readable. */
  of({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): Buffer | undefined {
    const value = headers[HEADER];
    if (typeof value !== 'string' || !this.proxies.lets(socket.remoteAddress)) return undefined;
    return derOf(value);
  }
}

/** DER of one certificate, as RFC 9440 has it or as PEM that is escaped as in a URL; nothing where it is neither. */
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
