import { Injectable, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** When nothing came for so long, load balancers have noticed that there should be no more. */
const QUIET_MS = 1_000;
/** Those that never notice get that long. */
const NOTICE_MS = 5_000;
/** A connection on which nothing came for so long after the last was accepted was made in case it is needed. */
const SILENT_MS = 500;
const LOOK_MS = 50;
/** What load balancers and monitoring go on to ask. */
const PROBES = /^\/(health|metrics)/;

/** Ends the service of a process without cutting off a request. */
@Injectable()
export class Draining {
  /** True once no further requests are wanted. */
  isDraining = false;
  private readonly logger = new Logger('Request');
  private readonly sockets = new Set<Socket>();
  private server: Server;
  private readonly endings: (() => void)[] = [];

  constructor(private readonly host: HttpAdapterHost) {}

  /** Has to be called before the server listens. */
  watch(): void {
    this.server = this.host.httpAdapter.getHttpServer() as Server;
    this.server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /** Has `end` called when nothing more is accepted, for answers that end no other way. */
  onClosing(end: () => void): void {
    this.endings.push(end);
  }

  /**
   * Says that the process is not ready and closes each connection with its next answer; where `isNoticed`, serves what comes
   * until load balancers have noticed; then accepts nothing more and waits for what runs, `patienceMs` in all.
   */
  async drain({ patienceMs, isNoticed }: { patienceMs: number; isNoticed: boolean }): Promise<void> {
    const end = Date.now() + patienceMs;
    this.isDraining = true;
    this.closeWithAnswers();
    if (isNoticed) await this.untilNoticed(end);
    await this.close(end);
    const cut = [...this.sockets].filter((socket) => answerOn(socket)).length;
    if (cut) this.logger.warn(`Requests that were cut off after ${seconds(patienceMs)}: ${cut}`);
  }

  private closeWithAnswers(): void {
    this.server.prependListener('request', (_request, answer: ServerResponse) => closeAfter(answer));
    for (const socket of this.sockets) closeAfter(answerOn(socket));
  }

  /** Requests that come while the socket to listen on closes are lost, so it closes when there are none. */
  private async untilNoticed(end: number): Promise<void> {
    let latest = Date.now();
    const most = Math.min(end, latest + NOTICE_MS);
    const note = ({ url = '' }: IncomingMessage) => {
      if (!PROBES.test(url)) latest = Date.now();
    };
    this.server.on('request', note);
    while (Date.now() < Math.min(latest + QUIET_MS, most)) await sleep(LOOK_MS);
    this.server.off('request', note);
  }

  private async close(end: number): Promise<void> {
    const silentUntil = Date.now() + SILENT_MS;
    let isClosed = false;
    this.server.close(() => (isClosed = true));
    for (const end of this.endings) end();
    while (!isClosed && Date.now() < end) {
      this.server.closeIdleConnections();
      if (Date.now() > silentUntil) this.closeSilent();
      await sleep(LOOK_MS);
    }
  }

  /** Browsers connect before they know what to ask for; Node counts that as a request on its way. */
  private closeSilent(): void {
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
  }
}

/** The answer that a connection waits for. */
function answerOn(socket: Socket): ServerResponse | undefined {
  const { _httpMessage: answer } = socket as Socket & { _httpMessage?: ServerResponse | null };
  return answer?.writableFinished === false ? answer : undefined;
}

function closeAfter(answer: ServerResponse | undefined): void {
  if (answer?.headersSent === false) answer.shouldKeepAlive = false;
}

const seconds = (ms: number): string => (ms === 1000 ? '1 second' : `${ms / 1000} seconds`);
