import type { Response } from 'express';
import { addHeaders } from '../../lib/http/listed-headers.js';
import type { ReceivedEvent } from './streams.js';

/**
 * Maximum bytes queued for a reader. A slower reader is disconnected, and may reconnect to receive the missed events.
 */
export const MAX_BUFFERED_BYTES = 1024 * 1024;
/** Time after which a client reconnects to an interrupted stream. */
const RETRY_MS = 2_000;

/** Asks proxies not to buffer events. */
const HEADERS = [...['Content-Type', 'text/event-stream'], ...['X-Accel-Buffering', 'no']];

/** A stream of server-sent events to one reader. Releases all resources when the reader disconnects. */
export class OpenStream {
  private timer?: NodeJS.Timeout;

  /** `endsAt` is the expiry of the caller's token, in milliseconds since 1970. */
  constructor(
    private readonly response: Response,
    private readonly keepAliveMs: number,
    private readonly endsAt = Infinity,
  ) {}

  get isOver(): boolean {
    return this.response.writableEnded || this.response.destroyed;
  }

  /** Sends the head of the response before or together with the first event. */
  sendHeaders(): void {
    const { response } = this;
    if (response.headersSent || this.isOver) return;
    response.statusCode = 200;
    addHeaders(response, HEADERS);
    if (response.req.method === 'HEAD') return this.end();
    response.once('close', () => clearInterval(this.timer));
    this.timer = setInterval(() => this.keepAlive(), this.keepAliveMs).unref();
    this.write(`retry: ${RETRY_MS}\n\n`);
  }

  /** JSON text has no line breaks, so it is a single data line. */
  send({ id, name, data }: ReceivedEvent): void {
    this.sendHeaders();
    this.write(`id: ${id}\nevent: ${name}\ndata: ${data}\n\n`);
  }

  end(): void {
    clearInterval(this.timer);
    this.response.end();
  }

  /** Sends a comment, which readers ignore, so that both ends detect a lost connection. */
  private keepAlive(): void {
    if (Date.now() >= this.endsAt) this.end();
    else this.write(':\n\n');
  }

  private write(text: string): void {
    if (this.isOver) return;
    if (this.response.writableLength > MAX_BUFFERED_BYTES) this.response.destroy();
    else this.response.write(text);
  }
}
