import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer, type TLSSocket } from 'node:tls';
import { Config } from '../../config/config.js';
import { RunsIn } from '../../platform/processes/roles.js';
import { ConnectionLimit } from '../../platform/throttle/connection-limit.js';
import { ClientServices } from '../client-services.js';
import { Client } from '../client.js';
import { SessionLease } from '../sessions/session-lease.js';
import { SHUTDOWN } from '../sessions/session-rows.js';
import { SocketLink, type Link } from '../wire/link.js';
import { readServerCertificate, type ServerCertificate } from './server-certificate.js';
import { WebSockets } from './web-sockets.js';

/** Maximum number of connections that have not signed in. */
const MAX_UNKNOWN = { total: 2_000, perNetwork: 1_000 };
const CHECK_MS = 1_000;
/** Interval at which the files of the certificate are read again. */
const CERTIFICATE_MS = 60_000;
const HANDSHAKE_MS = 10_000;
/** Time to store the ends of all sessions when the process stops. */
const STOP_MS = 5_000;

/** Accepts the connections of devices: over TCP, TLS and WebSockets. */
@Injectable()
@RunsIn('broker')
export class MqttServer implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(MqttServer.name);
  private readonly servers: Server[] = [];
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly arrivals = new ConnectionLimit(MAX_UNKNOWN);
  private stopping?: Promise<void>;

  constructor(
    private readonly services: ClientServices,
    private readonly lease: SessionLease,
    private readonly webSockets: WebSockets,
    private readonly config: Config,
  ) {}

  /** Starts to listen when other processes know of this one. */
  async onApplicationBootstrap(): Promise<void> {
    const { MQTT_PORT, MQTT_TLS_PORT, MQTT_WS_PORT } = this.config;
    await this.lease.acquire();
    this.repeat(CHECK_MS, () => this.check());
    if (MQTT_PORT > 0) await this.listen(this.tcpServer(), MQTT_PORT);
    if (MQTT_TLS_PORT > 0) await this.listen(await this.tlsServer(), MQTT_TLS_PORT);
    if (MQTT_WS_PORT > 0) {
      const server = this.webSockets.serverOf((request, socket, head) => this.upgrade(request, socket, head));
      await this.listen(server, MQTT_WS_PORT);
    }
  }

  onModuleDestroy(): Promise<void> {
    return this.stop();
  }

  /** Accepts no more connections, and closes all others. Resolves when the ends of their sessions are stored. */
  stop(): Promise<void> {
    return (this.stopping ??= this.end());
  }

  /** Takes the connection of a request for a WebSocket. */
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const arrived = this.enter(socket, this.webSockets.addressOf(request));
    if (arrived) this.webSockets.accept(request, socket, head, (link) => this.accept(link, arrived));
  }

  private async end(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    for (const server of this.servers) server.close();
    for (const client of this.services.clients) client.close(SHUTDOWN);
    await this.services.sessions.stop(SHUTDOWN, STOP_MS);
    await this.lease.release();
  }

  private tcpServer(): Server {
    return createServer((socket) => {
      const arrived = this.enter(socket);
      if (arrived) this.accept(new SocketLink(socket), arrived);
    });
  }

  /** Clients may present a certificate, which is verified when they sign in: its authority belongs to an application. */
  private async tlsServer(): Promise<Server> {
    const certificate = await readServerCertificate(this.config);
    const options = { requestCert: true, rejectUnauthorized: false, handshakeTimeout: HANDSHAKE_MS };
    const server = createTlsServer({ ...certificate, ...options });
    const arrivals = new Map<string, () => void>();
    server.on('connection', (socket: Socket) => {
      const arrived = this.enter(socket);
      if (!arrived) return;
      const name = nameOf(socket);
      arrivals.set(name, arrived);
      socket.once('close', () => arrivals.delete(name));
    });
    server.on('secureConnection', (socket: TLSSocket) => {
      const arrived = arrivals.get(nameOf(socket));
      if (arrived) this.accept(new SocketLink(socket), arrived);
      else socket.destroy();
    });
    // Handshakes fail because of clients.
    server.on('tlsClientError', ({ message }) => this.logger.debug(message));
    this.repeat(CERTIFICATE_MS, () => void this.renew(server, certificate));
    return server;
  }

  /** Uses a certificate that has changed. */
  private async renew(server: TlsServer, current: ServerCertificate): Promise<void> {
    try {
      const certificate = await readServerCertificate(this.config);
      if (certificate.cert === current.cert && certificate.key === current.key) return;
      server.setSecureContext(Object.assign(current, certificate));
      this.logger.log('The certificate for MQTT over TLS was replaced');
    } catch (error) {
      this.logger.warn(`Could not read the certificate for MQTT over TLS: ${(error as Error).message}`);
    }
  }

  private async listen(server: Server, port: number): Promise<void> {
    this.servers.push(server);
    server.listen(port, this.config.HOST);
    await once(server, 'listening');
    server.on('error', (error) => this.logger.error(error));
  }

  /** Counts a connection until its client has signed in or is gone. Closes it if too many others wait. */
  private enter(socket: Socket, address = socket.remoteAddress ?? ''): (() => void) | undefined {
    const leave = this.stopping ? undefined : this.arrivals.enter(address);
    if (!leave) {
      socket.destroy();
      return undefined;
    }
    socket.once('close', leave);
    return () => {
      // A listener that stays would take memory as long as the connection.
      socket.off('close', leave);
      leave();
    };
  }

  private accept(link: Link, arrived: () => void): void {
    if (this.stopping) return link.destroy();
    this.services.clients.add(new Client(link, this.services, arrived));
  }

  /** Disconnects clients that are silent. */
  private check(): void {
    const now = Date.now();
    for (const client of this.services.clients) client.check(now);
  }

  private repeat(ms: number, work: () => void): void {
    this.timers.push(setInterval(work, ms).unref());
  }
}

/** Identifies a connection, also before its TLS handshake. */
const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
