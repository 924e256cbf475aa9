import { lookup as dnsLookup } from 'node:dns';
import { isIP, Socket, type LookupFunction, type SocketConnectOpts } from 'node:net';
import { OutboundError } from './outbound-error.js';
import { FIRST_FREE_PORT, isPublic, publicLookup } from './public-addresses.js';

export interface GuardOptions {
  /** Servers as `host:port` that may be private, on any port. */
  allowed: readonly string[];
  /** Receives each socket when it begins to connect. */
  opened: (socket: Socket) => void;
  /** Resolves names; same signature as `dns.lookup`. */
  lookup?: LookupFunction;
}

type Connect = (this: Socket, options: SocketConnectOpts, listener?: () => void) => Socket;

/** A name that is never resolved: the lookup of a refused connection fails first. */
const REFUSED_HOST = 'refused.invalid';

/**
 * Limits all sockets that this process opens from now on to public addresses, regardless of the module that opens them.
 * For processes that run drivers of databases: drivers also connect to servers that another server names. A refused
 * connection fails like that to an unknown host, with an `OutboundError`. Ports below 1024 are refused, because texts
 * of callers could be a protocol such as mail.
 */
export function guardSockets({ allowed, opened, lookup = dnsLookup }: GuardOptions): void {
  const servers = new Set(allowed.map((server) => server.toLowerCase()));
  // eslint-disable-next-line @typescript-eslint/unbound-method -- is called with the socket
  const connect = Socket.prototype.connect as Connect;
  const guardedLookup = publicLookup(lookup);

  const optionsFor = (given: SocketConnectOpts): SocketConnectOpts => {
    if ('path' in given && given.path) return refused;
    const { host = 'localhost', port } = given as { host?: string; port: number | string };
    if (servers.has(`${host}:${port}`.toLowerCase())) return { ...given, lookup };
    const isRefused = Number(port) < FIRST_FREE_PORT || (isIP(host) !== 0 && !isPublic(host));
    return isRefused ? refused : { ...given, host, lookup: guardedLookup };
  };

  Socket.prototype.connect = function (this: Socket, ...given: unknown[]): Socket {
    const { options, listener } = argumentsOf(given);
    opened(this);
    return connect.call(this, optionsFor(options), listener);
  };
}

const refused: SocketConnectOpts = {
  host: REFUSED_HOST,
  port: FIRST_FREE_PORT,
  lookup: (_host, _options, callback) => callback(new OutboundError('address'), []),
};

/** Returns the arguments of `connect` in its form with options. Other modules of Node pass them as one array. */
function argumentsOf([first, ...others]: unknown[]): {
  options: SocketConnectOpts;
  listener?: () => void;
} {
  if (Array.isArray(first)) return argumentsOf(first);
  const listener = others.find((each) => typeof each === 'function') as (() => void) | undefined;
  if (typeof first === 'object' && first !== null) return { options: first as SocketConnectOpts, listener };
  if (typeof first === 'string' && !/^\d+$/.test(first)) return { options: { path: first }, listener };
  const [host] = others;
  return {
    options: { port: Number(first), ...(typeof host === 'string' && host !== '' && { host }) },
    listener,
  };
}
