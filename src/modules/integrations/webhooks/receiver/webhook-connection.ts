import type { RawData, WebSocket } from 'ws';

/** What a WebSocket client did, as workflows receive it. */
export type SocketEvent =
  | { type: 'connect'; message: object }
  | { type: 'message'; message: { data: string | Buffer; length: number } }
  | { type: 'disconnect'; message: { reason: string; statusCode: number } };

/** Status codes with which the platform closes a connection (RFC 6455 and the registry of IANA). */
export const CLOSE = { stopping: 1001, refused: 1008, failed: 1011, busy: 1013 } as const;

/** Maximum number of messages that a client may send in a window. */
const MAX_MESSAGES = 100;
const WINDOW_MS = 10_000;
/** Maximum bytes that wait for the client to read them. A slower client is disconnected. */
const MAX_BUFFERED_BYTES = 1024 * 1024;
/** Time for a client to confirm that the connection is closed. */
const CLOSE_MS = 5_000;

/**
 * The connection of a WebSocket client. Its events are stored one after the other, and no further message is read until
 * the last one is stored.
 */
export class WebhookConnection {
  private work = Promise.resolve();
  private messages = 0;
  private windowEndsAt = 0;
  private isAlive = true;
  /** Resolves when the connection is closed and all events are stored. */
  readonly done: Promise<void>;

  /**
   * @param store stores an event; a failure closes the connection with the code of `codeOf`
   */
  constructor(
    private readonly socket: WebSocket,
    private readonly store: (event: SocketEvent) => Promise<void>,
    private readonly codeOf: (error: unknown) => number,
  ) {
    this.add({ type: 'connect', message: {} });
    socket.on('message', (data, isBinary) => this.receive(data, isBinary));
    socket.on('pong', () => (this.isAlive = true));
    // `ws` closes the connection itself, with 1009 for a message that is too long.
    socket.on('error', () => undefined);
    this.done = new Promise((resolve) => {
      socket.once('close', (statusCode, reason) => {
        this.add({ type: 'disconnect', message: { reason: reason.toString(), statusCode } });
        void this.work.then(resolve);
      });
    });
  }

  /** Sends a message, or disconnects a client that does not read. */
  send(message: string | Buffer): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    if (this.socket.bufferedAmount > MAX_BUFFERED_BYTES) this.socket.terminate();
    else this.socket.send(message);
  }

  /** Disconnects a client that has not been heard since the last call, and asks any other for a sign of life. */
  check(): void {
    if (!this.isAlive) return this.socket.terminate();
    this.isAlive = false;
    this.socket.ping();
  }

  close(code: number, reason: string): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    this.socket.close(code, reason);
    // A paused connection would not read the confirmation.
    this.socket.resume();
    setTimeout(() => this.socket.terminate(), CLOSE_MS).unref();
  }

  private receive(data: RawData, isBinary: boolean): void {
    this.isAlive = true;
    if (this.socket.readyState !== this.socket.OPEN) return;
    const now = Date.now();
    if (now >= this.windowEndsAt) [this.messages, this.windowEndsAt] = [0, now + WINDOW_MS];
    if (++this.messages > MAX_MESSAGES) return this.close(CLOSE.refused, 'Too many messages');
    const bytes = data as Buffer;
    this.add({
      type: 'message',
      message: { data: isBinary ? bytes : bytes.toString(), length: bytes.length },
    });
  }

  private add(event: SocketEvent): void {
    this.socket.pause();
    this.work = this.work
      .then(() => this.store(event))
      .then(
        () => this.socket.resume(),
        (error: unknown) => this.close(this.codeOf(error), 'The message could not be processed'),
      );
  }
}
