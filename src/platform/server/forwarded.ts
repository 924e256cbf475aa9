import type { NextFunction, Request, Response } from 'express';
import type { IncomingMessage } from 'node:http';

/** `192.0.2.1:443`, `[2001:db8::1]:443` or `[2001:db8::1]`. */
const WITH_PORT = /^(?:([\d.]+):\d+|\[([^\]]*)\](?::\d+)?)$/;

/** Some proxies add the port of the connection, so that a client would appear to have one address per port. */
export function withoutPorts(request: Request, _response: Response, next: NextFunction): void {
  const given = request.headers['x-forwarded-for'];
  if (typeof given === 'string') request.headers['x-forwarded-for'] = plainAddresses(given);
  next();
}

/** Returns the addresses of `X-Forwarded-For` without ports. */
export const plainAddresses = (header: string): string =>
  header
    .split(',')
    .map((entry) => entry.trim().replace(WITH_PORT, (_whole, v4?: string, v6?: string) => v4 ?? v6 ?? ''))
    .join(', ');

/** Returns the address of a client behind some proxies, each of which adds the address of its own client. */
export function forwardedAddress({ headers, socket }: IncomingMessage, proxies: number): string {
  const given = headers['x-forwarded-for'];
  const passed = typeof given === 'string' ? plainAddresses(given).split(', ') : [];
  const addresses = [...passed, socket.remoteAddress ?? ''];
  return addresses[Math.max(0, addresses.length - 1 - proxies)]!;
}

/** Returns whether the client of a trusted proxy uses TLS. */
export const isForwardedSecure = ({ headers }: IncomingMessage): boolean =>
  headers['x-forwarded-proto'] === 'https';
