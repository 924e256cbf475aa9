import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { plainAddresses } from '../../platform/server/forwarded.js';
import { plainHost } from '../hosts/host-name.js';

/** Address of the client of a request, and the host and scheme that it used. */
export interface Origin {
  /** Host as the client sent it, with a port if it had one. */
  readonly hostHeader: string;
  /** Host without port, in lower case. */
  readonly host: string;
  /** Host of the request that a proxy sent, if it is another one. */
  readonly proxiedHost?: string;
  readonly isSecure: boolean;
  /** IP address of the client. */
  readonly address: string;
  /** Addresses of the client and of proxies, as `X-Forwarded-For` lists them. */
  readonly forwardedFor: string;
  /** Whether `X-Forwarded-…` headers are those of a proxy that is trusted. */
  readonly isProxied: boolean;
}

/**
 * Returns the value that the outermost of the trusted proxies has added to a header. Values before it come from the
 * client.
 */
function trusted(header: string | string[] | undefined, proxies: number): string | undefined {
  const values = String(header ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
  return values.at(-Math.min(proxies, values.length));
}

/** Returns the only `Host` header, or `undefined` for none or several. */
function hostHeaderOf({ rawHeaders }: IncomingMessage): string | undefined {
  let found: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.length !== 4 || rawHeaders[i]!.toLowerCase() !== 'host') continue;
    if (found !== undefined) return undefined;
    found = rawHeaders[i + 1]!;
  }
  return found;
}

/**
 * Returns the origin of a request, or `undefined` if it names no host, or several. `proxies` is the number of proxies
 * whose `X-Forwarded-…` headers are trusted.
 */
export function originOf(request: IncomingMessage, proxies: number): Origin | undefined {
  const direct = hostHeaderOf(request);
  const directHost = direct === undefined ? undefined : plainHost(direct);
  if (direct === undefined || directHost === undefined) return undefined;
  const { headers, socket } = request;
  const isEncrypted = (socket as Partial<TLSSocket>).encrypted === true;
  const remote = socket.remoteAddress ?? '';
  if (proxies === 0)
    return {
      hostHeader: direct,
      host: directHost,
      isSecure: isEncrypted,
      address: remote,
      forwardedFor: remote,
      isProxied: false,
    };
  const hostHeader = trusted(headers['x-forwarded-host'], proxies) ?? direct;
  const host = plainHost(hostHeader);
  if (host === undefined) return undefined;
  const protocol = trusted(headers['x-forwarded-proto'], proxies);
  const forwarded = headers['x-forwarded-for'];
  const addresses = forwarded === undefined ? undefined : plainAddresses(String(forwarded));
  return {
    hostHeader,
    host,
    ...(host !== directHost && { proxiedHost: directHost }),
    isSecure: protocol === undefined ? isEncrypted : protocol.toLowerCase() === 'https',
    address: trusted(addresses, proxies) ?? remote,
    forwardedFor: forwarded === undefined ? remote : String(forwarded),
    isProxied: true,
  };
}
