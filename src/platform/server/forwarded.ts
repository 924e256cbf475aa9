import type { NextFunction, Request, Response } from 'express';

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
