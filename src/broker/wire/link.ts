import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { RawData, WebSocket } from 'ws';

/** Receives what happens on a link. */
export interface LinkListener {
  received(chunk: Buffer): void;
  closed(): void;
}

/** Connection of a client, over TCP, TLS or a WebSocket. */
export interface Link {
  /** IP address of the client. */
  readonly address: string;
  readonly isSecure: boolean;
  /** Certificate that the client has presented, in DER. */
  readonly certificate?: Buffer;
  /** Bytes that the client has not read. */
  readonly buffered: number;
  listen(listener: LinkListener): void;
  write(bytes: Buffer): void;
  /** Stops receiving. What the client sends stays in its socket. */
  pause(): void;
  resume(): void;
  /** Closes the connection after everything that was written, or a second later. */
  end(): void;
  destroy(): void;
}

const LISTENER = Symbol('listener');
/** Time for a client to receive the last packets before the connection is closed. */
const END_MS = 1_000;

/** Sends everything that is written in one turn of the event loop together, because each write to a socket is a system call. */
abstract class BatchingLink implements Link {
  private waiting?: Buffer[];
  private waitingBytes = 0;

  abstract readonly address: string;
  abstract readonly isSecure: boolean;
  abstract readonly certificate?: Buffer;
  protected abstract readonly unsentBytes: number;

  abstract listen(listener: LinkListener): void;
  abstract pause(): void;
  abstract resume(): void;
  abstract destroy(): void;
  protected abstract send(bytes: Buffer): void;
  protected abstract close(): void;

  get buffered(): number {
    return this.unsentBytes + this.waitingBytes;
  }

  write(bytes: Buffer): void {
    if (this.waiting) this.waiting.push(bytes);
    else {
      this.waiting = [bytes];
      process.nextTick(() => this.flush());
    }
    this.waitingBytes += bytes.length;
  }

  end(): void {
    this.flush();
    this.close();
    // What the client still sends would otherwise keep the connection open.
    this.resume();
    setTimeout(() => this.destroy(), END_MS).unref();
  }

  private flush(): void {
    const { waiting } = this;
    if (!waiting) return;
    this.waiting = undefined;
    this.waitingBytes = 0;
    this.send(waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting));
  }
}

/** A socket with its listener, so that all sockets share the functions below instead of having closures of their own. */
interface LinkedSocket extends Socket {
  [LISTENER]?: LinkListener;
}

function receivedBySocket(this: LinkedSocket, chunk: Buffer): void {
  this[LISTENER]!.received(chunk);
}

function closedSocket(this: LinkedSocket): void {
  this[LISTENER]!.closed();
}

function failedSocket(this: LinkedSocket): void {
  this.destroy();
}

/** Connection over TCP or TLS. */
export class SocketLink extends BatchingLink {
  /** Kept, because a closed socket has no address. */
  readonly address: string;

  constructor(private readonly socket: LinkedSocket) {
    super();
    this.address = socket.remoteAddress ?? '';
    socket.setNoDelay(true);
  }

  get isSecure(): boolean {
    return this.socket instanceof TLSSocket;
  }

  get certificate(): Buffer | undefined {
    return this.socket instanceof TLSSocket ? this.socket.getPeerX509Certificate()?.raw : undefined;
  }

  listen(listener: LinkListener): void {
    this.socket[LISTENER] = listener;
    this.socket.on('data', receivedBySocket).on('error', failedSocket).on('close', closedSocket);
  }

  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  destroy(): void {
    this.socket.destroy();
  }

  protected override get unsentBytes(): number {
    return this.socket.writableLength;
  }

  protected override send(bytes: Buffer): void {
    this.socket.write(bytes);
  }

  protected override close(): void {
    this.socket.end();
  }
}

/** Connection over a WebSocket, whose binary messages contain the packets. */
export class WebSocketLink extends BatchingLink {
  constructor(
    private readonly socket: WebSocket,
    readonly address: string,
    readonly isSecure: boolean,
    readonly certificate?: Buffer,
  ) {
    super();
  }

  listen(listener: LinkListener): void {
    this.socket
      .on('message', (data: RawData, isBinary: boolean) => {
        if (isBinary) listener.received(data as Buffer);
        else this.socket.terminate();
      })
      .on('error', () => this.socket.terminate())
      .on('close', () => listener.closed());
  }

  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  destroy(): void {
    this.socket.terminate();
  }

  protected override get unsentBytes(): number {
    return this.socket.bufferedAmount;
  }

  protected override send(bytes: Buffer): void {
    if (this.socket.readyState === this.socket.OPEN) this.socket.send(bytes);
  }

  protected override close(): void {
    this.socket.close();
  }
}
