import type { Response } from 'express';
import { addHeaders } from '../../lib/http/listed-headers.js';
import type { ReceivedEvent } from './streams.js';

/** What waits for a reader; one who falls further behind is cut off, and may come back for what was missed. */
export const MOST_WAITING_BYTES = 1024 * 1024;
/** When a client that lost its stream comes back. */
const RETRY_MS = 2_000;

/** Proxies are asked to hand on each event as it comes. */
const HEADERS = [...['Content-Type', 'text/event-stream'], ...['X-Accel-Buffering', 'no']];

/** A stream of server-sent events to one reader. Nothing of it is kept once the reader is gone. */
export class OpenStream {
  private timer?: NodeJS.Timeout;

  /** `endsAt` is when the caller's token ends, in milliseconds since 1970. */
  constructor(
    private readonly response: Response,
    private readonly keepAliveMs: number,
    private readonly endsAt = Infinity,
  ) {}

  get isOver(): boolean {
    return this.response.writableEnded || this.response.destroyed;
  }

  /** Sends the head of the answer, before anything else or with it. */
  begin(): void {
    const { response } = this;
    if (response.headersSent || this.isOver) return;
    response.statusCode = 200;
    addHeaders(response, HEADERS);
    if (response.req.method === 'HEAD') return this.end();
    response.once('close', () => clearInterval(this.timer));
    this.timer = setInterval(() => this.keepAlive(), this.keepAliveMs).unref();
    this.write(`retry: ${RETRY_MS}\n\n`);
  }

  /** JSON has no line breaks, so it is one line of data. */
  send({ id, name, data }: ReceivedEvent): void {
    this.begin();
    this.write(`id: ${id}\nevent: ${name}\ndata: ${data}\n\n`);
  }

  end(): void {
    clearInterval(this.timer);
    this.response.end();
  }

  /** A comment, which readers ignore; it shows both ends that the other is there. */
  private keepAlive(): void {
    if (Date.now() >= this.endsAt) this.end();
    else this.write(':\n\n');
  }

  private write(text: string): void {
    if (this.isOver) return;
    if (this.response.writableLength > MOST_WAITING_BYTES) this.response.destroy();
    else this.response.write(text);
  }
}
