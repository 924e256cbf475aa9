import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { once } from 'node:events';
import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer, type ServerOptions as TlsOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { Config } from '../../config/config.js';
import { RunsIn } from '../../platform/processes/roles.js';
import { GracefulShutdown } from '../../platform/server/graceful-shutdown.js';
import { ConnectionLimit } from '../../platform/throttle/connection-limit.js';
import { RequestLog } from '../limits/request-log.js';
import { SiteHandler } from '../site-handler.js';
import { TlsContexts } from './tls-contexts.js';

/** Milliseconds to receive the head of a request, and a whole request. */
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 60_000;
/** Longer than load balancers keep idle connections, so that they close them first. */
const KEEP_ALIVE_MS = 65_000;
/** A connection is closed if nothing passes for so long: longer than a workflow may take to reply. */
const IDLE_MS = 90_000;
const CHECK_INTERVAL_MS = 5_000;
/** Maximum number of connections of a process, and of a network that no proxy is in front of. */
const MAX_CONNECTIONS = 20_000;
const MAX_PER_NETWORK = 5_000;

const OPTIONS = {
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  connectionsCheckingInterval: CHECK_INTERVAL_MS,
  insecureHTTPParser: false,
} satisfies ServerOptions & TlsOptions;

/** The listeners for sites: without TLS, and with it if a port is configured. */
@Injectable()
@RunsIn('sites')
export class SitesServer implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly servers: { readonly server: Server; readonly port: number }[] = [];
  private readonly connections: ConnectionLimit;

  constructor(
    private readonly config: Config,
    private readonly shutdown: GracefulShutdown,
    private readonly log: RequestLog,
    handler: SiteHandler,
    contexts: TlsContexts,
  ) {
    const { SITES_PORT, SITES_TLS_PORT, TRUST_PROXY } = config;
    this.connections = new ConnectionLimit({
      total: MAX_CONNECTIONS,
      perNetwork: TRUST_PROXY > 0 ? MAX_CONNECTIONS : MAX_PER_NETWORK,
    });
    const listener = (request: IncomingMessage, response: ServerResponse): void =>
      void handler.handle(request, response);
    this.add(createServer(OPTIONS, listener), SITES_PORT);
    if (SITES_TLS_PORT > 0)
      this.add(createTlsServer({ ...OPTIONS, ...contexts.options }, listener), SITES_TLS_PORT);
  }

  async onApplicationBootstrap(): Promise<void> {
    for (const { server, port } of this.servers)
      await once(server.listen(port, this.config.HOST), 'listening');
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(
      this.servers.map(async ({ server }) => {
        if (!server.listening) return;
        const closed = once(server, 'close');
        server.close();
        server.closeAllConnections();
        await closed;
      }),
    );
  }

  /** Ports on which the sites are served: without TLS, and with TLS if enabled. */
  get ports(): number[] {
    return this.servers.map(({ server }) => (server.address() as AddressInfo).port);
  }

  private add(server: Server, port: number): void {
    server.setTimeout(IDLE_MS);
    server.on('connection', (socket) => this.enter(socket));
    server.on('clientError', (error, socket) => this.refuse(error, socket as Socket));
    // Requests for another protocol, such as a WebSocket, are answered as if they had not asked.
    this.shutdown.track(server);
    this.servers.push({ server, port });
  }

  private enter(socket: Socket): void {
    const leave = this.connections.enter(socket.remoteAddress ?? '');
    if (leave) socket.once('close', leave);
    else socket.destroy();
  }

  /** Answers input that is no request, and closes the connection. */
  private refuse({ code = '' }: NodeJS.ErrnoException, socket: Socket): void {
    const { _httpMessage: answer } = socket as { _httpMessage?: { headersSent: boolean } };
    if (socket.writable && !answer?.headersSent) {
      const status = STATUSES[code] ?? BAD_REQUEST;
      socket.write(refusal(status));
      // Browsers open connections that they do not use.
      if (socket.bytesRead > 0) this.log.writeRefused(status, code);
    }
    socket.destroySoon();
  }
}

const BAD_REQUEST = 400;
/** Statuses of errors of the parser. */
const STATUSES: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Returns the response to input that is no request. */
function refusal(status: number): string {
  const text = STATUS_CODES[status]!;
  const body = JSON.stringify({ error: text });
  return [
    `HTTP/1.1 ${status} ${text}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${body.length}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
