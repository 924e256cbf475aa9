import type { Response } from 'express';
import { addHeaders } from '../../lib/http/listed-headers.js';
import type { EncodedEvent, EventReader, HeldEvents } from './held-events.js';

/**
 * Maximum bytes queued for a reader. A slower reader is disconnected, and may reconnect to receive the missed events.
 */
export const MAX_BUFFERED_BYTES = 1024 * 1024;
/** Maximum number of events written at once: a pending write takes more memory than a queued event. */
const MAX_WRITES = 32;
/** Time after which a client reconnects to an interrupted stream: random, because many streams can end together. */
const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 3_000;
/** Time for a reader to receive the rest of a stream that ends. */
const END_TIMEOUT_MS = 10_000;

/** Asks proxies not to buffer events. */
const HEADERS = [...['Content-Type', 'text/event-stream'], ...['X-Accel-Buffering', 'no']];

/** A stream of server-sent events to one reader. Releases all resources when the reader disconnects. */
export class OpenStream implements EventReader {
  private timer?: NodeJS.Timeout;
  private waiting: EncodedEvent[] = [];
  private writing: EncodedEvent[] = [];
  /** Bytes of the events that are waiting or being written. */
  private buffered = 0;
  private isEnding = false;

  /** `endsAt` is the expiry of the caller's token, in milliseconds since 1970. */
  constructor(
    private readonly response: Response,
    private readonly held: HeldEvents,
    private readonly keepAliveMs: number,
    private readonly endsAt = Infinity,
  ) {
    response.once('close', () => {
      clearTimeout(this.timer);
      this.releaseAll();
    });
  }

  get isOver(): boolean {
    return this.isEnding || this.response.writableEnded || this.response.destroyed;
  }

  /** Sends the head of the response before or together with the first event. */
  sendHeaders(): void {
    const { response } = this;
    if (response.headersSent || this.isOver) return;
    response.statusCode = 200;
    addHeaders(response, HEADERS);
    if (response.req.method === 'HEAD') return this.end();
    this.timer = setInterval(() => this.keepAlive(), this.keepAliveMs).unref();
    const retry = Math.round(MIN_RETRY_MS + Math.random() * (MAX_RETRY_MS - MIN_RETRY_MS));
    response.write(`retry: ${retry}\n\n`);
  }

  send(event: EncodedEvent): void {
    this.sendHeaders();
    if (this.isOver) return;
    if (this.buffered > MAX_BUFFERED_BYTES) return this.disconnect();
    this.waiting.push(event);
    this.buffered += event.bytes.length;
    this.held.add(event, this);
    if (this.writing.length === 0) this.writeNext();
  }

  /** Ends the stream after the events sent so far. */
  end(): void {
    if (this.isOver) return;
    this.isEnding = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.disconnect(), END_TIMEOUT_MS).unref();
    if (this.writing.length === 0) this.writeNext();
  }

  disconnect(): void {
    this.releaseAll();
    this.response.destroy();
  }

  /** Writes the next events. The rest waits until the connection has accepted them. */
  private writeNext(): void {
    this.writing = this.waiting.splice(0, MAX_WRITES);
    const last = this.writing.at(-1);
    if (!last && this.isEnding) this.response.end();
    for (const event of this.writing)
      this.response.write(event.bytes, event === last ? (error) => this.afterWrite(error) : undefined);
  }

  private afterWrite(error?: Error | null): void {
    if (error) return;
    this.release(this.writing);
    this.writeNext();
  }

  private release(events: readonly EncodedEvent[]): void {
    for (const event of events) {
      this.buffered -= event.bytes.length;
      this.held.release(event, this);
    }
  }

  private releaseAll(): void {
    this.release(this.writing.splice(0));
    this.release(this.waiting.splice(0));
  }

  /**
   * Sends a comment, which readers ignore, so that both ends detect a lost connection. A connection that has accepted
   * nothing since the last one gets no more, because comments are not counted.
   */
  private keepAlive(): void {
    if (Date.now() >= this.endsAt) this.end();
    else if (this.response.writableLength === 0) this.response.write(':\n\n');
  }
}
