import { Injectable, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Time without requests in milliseconds after which load balancers have noticed the shutdown. */
const QUIET_PERIOD_MS = 1_000;
/** Maximum wait for load balancers to notice the shutdown. */
const MAX_NOTICE_MS = 5_000;
/** A connection without data for this long after the last accept was opened speculatively. */
const SILENT_MS = 500;
const POLL_INTERVAL_MS = 50;
/** Paths that load balancers and monitoring keep requesting. */
const PROBES = /^\/(health|metrics)/;

/** Shuts down the servers of the process without interrupting requests. */
@Injectable()
export class GracefulShutdown {
  /** `true` when the process should receive no more requests. */
  isDraining = false;
  private readonly logger = new Logger('Request');
  private readonly sockets = new Set<Socket>();
  private readonly servers: Server[] = [];
  private readonly closeListeners: (() => void)[] = [];

  constructor(private readonly host: HttpAdapterHost) {}

  /** Must be called before the server of the API listens. */
  trackConnections(): void {
    this.track(this.host.httpAdapter.getHttpServer() as Server);
  }

  /** Shuts down another server, too. Must be called before it listens. */
  track(server: Server): void {
    this.servers.push(server);
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /** Registers a function that ends long-running responses; called when the server stops accepting connections. */
  onClosing(end: () => void): void {
    this.closeListeners.push(end);
  }

  /**
   * Reports the process as not ready and closes each connection after its next response. If `waitsForLoadBalancers`, keeps serving
   * requests until load balancers have noticed. Then accepts no more connections and waits for requests in flight, for
   * at most `timeoutMs` in total.
   */
  async drain({
    timeoutMs,
    waitsForLoadBalancers,
  }: {
    timeoutMs: number;
    waitsForLoadBalancers: boolean;
  }): Promise<void> {
    const end = Date.now() + timeoutMs;
    this.isDraining = true;
    this.closeAfterResponses();
    if (waitsForLoadBalancers) await this.waitForLoadBalancers(end);
    await this.close(end);
    const cut = [...this.sockets].filter((socket) => pendingResponse(socket)).length;
    if (cut) this.logger.warn(`Requests that were cut off after ${seconds(timeoutMs)}: ${cut}`);
  }

  private closeAfterResponses(): void {
    for (const server of this.servers)
      server.prependListener('request', (_request, answer: ServerResponse) => closeAfter(answer));
    for (const socket of this.sockets) closeAfter(pendingResponse(socket));
  }

  /** Waits for a period without requests, because requests that arrive while the listening socket closes are lost. */
  private async waitForLoadBalancers(end: number): Promise<void> {
    let latest = Date.now();
    const max = Math.min(end, latest + MAX_NOTICE_MS);
    const note = ({ url = '' }: IncomingMessage) => {
      if (!PROBES.test(url)) latest = Date.now();
    };
    for (const server of this.servers) server.on('request', note);
    while (Date.now() < Math.min(latest + QUIET_PERIOD_MS, max)) await sleep(POLL_INTERVAL_MS);
    for (const server of this.servers) server.off('request', note);
  }

  private async close(end: number): Promise<void> {
    const silentUntil = Date.now() + SILENT_MS;
    const open = new Set(this.servers);
    for (const server of this.servers) server.close(() => open.delete(server));
    for (const end of this.closeListeners) end();
    while (open.size > 0 && Date.now() < end) {
      for (const server of open) server.closeIdleConnections();
      if (Date.now() > silentUntil) this.closeUnusedSockets();
      await sleep(POLL_INTERVAL_MS);
    }
  }

  /** Browsers open connections speculatively, and Node counts them as pending requests. */
  private closeUnusedSockets(): void {
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
  }
}

/** Returns the response that is pending on a connection. */
function pendingResponse(socket: Socket): ServerResponse | undefined {
  const { _httpMessage: answer } = socket as Socket & { _httpMessage?: ServerResponse | null };
  return answer?.writableFinished === false ? answer : undefined;
}

function closeAfter(answer: ServerResponse | undefined): void {
  if (answer?.headersSent === false) answer.shouldKeepAlive = false;
}

const seconds = (ms: number): string => (ms === 1000 ? '1 second' : `${ms / 1000} seconds`);
