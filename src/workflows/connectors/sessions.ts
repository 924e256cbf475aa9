import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Connection, Driver } from './drivers/driver.js';

/** Time in milliseconds that an unused connection is kept. */
const IDLE_MS = 30_000;
/** Unused connections that are kept. */
const MAX_IDLE = 64;

type AnyDriver = Driver<object, object>;

/** A connection to a service with the sockets that its driver has opened. */
export class Session {
  readonly sockets = new Set<Socket>();
  connection?: Connection<object>;
  idle?: NodeJS.Timeout;
  private closedBytes = 0;
  private isClosed = false;

  constructor(readonly key: string) {}

  /** Bytes received so far. */
  get received(): number {
    let sum = this.closedBytes;
    for (const { bytesRead } of this.sockets) sum += bytesRead;
    return sum;
  }

  add(socket: Socket): void {
    this.sockets.add(socket);
    // A driver that was connecting can open a socket later. It is not connecting yet.
    if (this.isClosed) process.nextTick(() => socket.destroy());
    socket.once('close', () => {
      if (this.sockets.delete(socket)) this.closedBytes += socket.bytesRead;
    });
  }

  /** Performs a request. A connection that cannot be reset is replaced. */
  async run(driver: AnyDriver, server: object, request: object, timeoutMs: number): Promise<unknown> {
    if (!(await this.isReady())) {
      this.disconnect();
      this.connection = await driver.open(server, timeoutMs);
      if (this.isClosed) this.disconnect();
    }
    return this.connection!.run(request);
  }

  /** Closes the connection, regardless of its driver. */
  close(): void {
    clearTimeout(this.idle);
    this.isClosed = true;
    this.disconnect();
  }

  private async isReady(): Promise<boolean> {
    if (!this.connection || this.sockets.size === 0) return false;
    try {
      await this.connection.reset?.();
      return true;
    } catch {
      return false;
    }
  }

  private disconnect(): void {
    this.connection?.close();
    for (const socket of this.sockets) socket.destroy();
  }
}

/** The session whose driver is running. Sockets opened by its timers belong to it, too. */
const current = new AsyncLocalStorage<Session>();

/** Runs the driver of a session. */
export const inSession = <T>(session: Session, work: () => T): T => current.run(session, work);

/** Assigns a socket to the session that opens it. */
export function socketOpened(socket: Socket): void {
  current.getStore()?.add(socket);
}

/** Connections, each used by one call at a time. They are kept for calls with the same application and server. */
export class Sessions {
  /** Unused sessions, least recently used first. */
  private readonly free = new Set<Session>();

  /** Returns the key of the connections to a server. */
  static keyOf(...parts: readonly unknown[]): string {
    return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  }

  /** Returns an unused session, the most recently used first, or a new one. */
  take(key: string): Session {
    const session = [...this.free].findLast((each) => each.key === key) ?? new Session(key);
    this.free.delete(session);
    clearTimeout(session.idle);
    return session;
  }

  /** Keeps a session for other calls. */
  put(session: Session): void {
    this.free.add(session);
    session.idle = setTimeout(() => this.drop(session), IDLE_MS);
    const [oldest] = this.free;
    if (this.free.size > MAX_IDLE) this.drop(oldest!);
  }

  private drop(session: Session): void {
    this.free.delete(session);
    session.close();
  }
}
