import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { Config } from '../../config/config.js';
import { RunsIn } from '../../platform/processes/roles.js';
import { ClientServices } from '../client-services.js';
import { Client } from '../client.js';
import { SessionLease } from '../sessions/session-lease.js';
import { SHUTDOWN } from '../sessions/session-rows.js';
import { SocketLink, type Link } from '../wire/link.js';

const CHECK_MS = 1_000;
/** Time to store the ends of all sessions when the process stops. */
const STOP_MS = 5_000;

/** Accepts the connections of devices. */
@Injectable()
@RunsIn('broker')
export class MqttServer implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(MqttServer.name);
  private readonly servers: Server[] = [];
  private timer?: NodeJS.Timeout;
  private stopping?: Promise<void>;

  constructor(
    private readonly services: ClientServices,
    private readonly lease: SessionLease,
    private readonly config: Config,
  ) {}

  /** Starts to listen when other processes know of this one. */
  async onApplicationBootstrap(): Promise<void> {
    const { MQTT_PORT } = this.config;
    await this.lease.acquire();
    this.timer = setInterval(() => this.check(), CHECK_MS).unref();
    if (MQTT_PORT > 0) await this.listen(createServer({ noDelay: true }), MQTT_PORT);
  }

  onModuleDestroy(): Promise<void> {
    return this.stop();
  }

  /** Accepts no more connections, and closes all others. Resolves when the ends of their sessions are stored. */
  stop(): Promise<void> {
    return (this.stopping ??= this.end());
  }

  private async end(): Promise<void> {
    clearInterval(this.timer);
    for (const server of this.servers) server.close();
    for (const client of this.services.clients) client.close(SHUTDOWN);
    await this.services.sessions.stop(SHUTDOWN, STOP_MS);
    await this.lease.release();
  }

  private async listen(server: Server, port: number): Promise<void> {
    this.servers.push(server);
    server.on('connection', (socket: Socket) => this.accept(new SocketLink(socket)));
    server.listen(port, this.config.HOST);
    await once(server, 'listening');
    server.on('error', (error) => this.logger.error(error));
  }

  private accept(link: Link): void {
    if (this.stopping) return link.destroy();
    this.services.clients.add(new Client(link, this.services));
  }

  /** Disconnects clients that are silent. */
  private check(): void {
    const now = Date.now();
    for (const client of this.services.clients) client.check(now);
  }
}
