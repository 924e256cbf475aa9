import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The connection of a request that asks for a WebSocket. */
export interface Upgrade {
  readonly socket: Socket;
  /** What the client has sent after the head of the request. */
  readonly head: Buffer;
  /**
   * Takes the connection from the response, which must not be used any more. The request is logged when the connection
   * ends: as a malformed one, unless the connection was `switched`.
   */
  take(): void;
  /** Records that the client has received `101`. */
  switched(): void;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();
/** Headers that ask for another protocol. */
const UPGRADE_HEADERS: ReadonlySet<string> = new Set(['http2-settings', 'upgrade']);

/** Returns the connection of a request that asks for a WebSocket, on a path that serves them. */
export function upgradeOf(request: IncomingMessage): Upgrade | undefined {
  return upgrades.get(request);
}

/** Takes the connections of requests for WebSockets on some paths, without a request in the sense of the API. */
export interface RawUpgrades {
  readonly paths: RegExp;
  take(request: IncomingMessage, socket: Socket, head: Buffer): void;
}

/**
 * Passes requests for WebSockets on the paths `served` through the same middleware, guards and handlers as others. A
 * handler takes the connection; if it responds instead, the connection is closed. Other requests for another protocol,
 * such as those for HTTP/2 of many Java clients, are served as if they had not asked, as Node does without a listener.
 * Those on the paths of `raw` are passed on as they are.
 */
export function serveUpgrades(
  server: Server,
  served: RegExp,
  respondTo: (request: IncomingMessage) => ServerResponse,
  raw?: RawUpgrades,
): void {
  const serve = (request: IncomingMessage, socket: Socket, head: Buffer): void => {
    const { url = '', method, headers } = request;
    const isWebSocket = method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
    if (isWebSocket && raw?.paths.test(url)) return raw.take(request, socket, head);
    if (!isWebSocket || !served.test(url)) return repeat(server, request, socket, head);
    const response = respondTo(request);
    const close = () => socket.destroySoon();
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', close);
    const take = () => {
      response.off('finish', close);
      response.detachSocket(socket);
      response.statusCode = 400;
      socket.once('close', () => response.emit('close'));
    };
    const switched = () => void (response.statusCode = 101);
    socket.on('error', () => socket.destroy());
    upgrades.set(request, { socket, head, take, switched });
    server.emit('request', request, response);
  };
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const destroy = () => socket.destroy();
    socket.on('error', destroy);
    whenAnswered(socket, () => {
      socket.off('error', destroy);
      if (!socket.destroyed) serve(request, socket, head);
    });
  });
}

/** Waits for the responses to requests that the client has sent before on the same connection. */
function whenAnswered(socket: Socket, action: () => void): void {
  const { _httpMessage: pending } = socket as Socket & { _httpMessage?: ServerResponse | null };
  if (!pending) return action();
  pending.once('finish', () => setImmediate(() => whenAnswered(socket, action)));
}

/** Lets the server read the request again, without the headers that ask for another protocol. */
function repeat(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name, value] = [rawHeaders[i]!, rawHeaders[i + 1]!];
    if (UPGRADE_HEADERS.has(name.toLowerCase())) continue;
    lines.push(`${name}: ${name.toLowerCase() === 'connection' ? withoutUpgrade(value) : value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  // Only the server itself: other listeners have seen the connection before.
  server.listeners('connection')[0]!.call(server, socket);
}

const withoutUpgrade = (value: string): string =>
  value
    .split(',')
    .filter((option) => !UPGRADE_HEADERS.has(option.trim().toLowerCase()))
    .join(',') || 'keep-alive';
