import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import pg, { type ClientConfig } from 'pg';
import { errorCode } from './error-code.js';
import { TextQuery, type Statement } from './query.js';
import { RowClient } from './row-client.js';
import type { Row } from './row-shape.js';

/** With one track, statements behind a slow one have no alternative; with four, fewer statements share a write. */
const TRACKS = 2;
/**
 * Statement timeout in milliseconds on this lane. Anything that takes longer is not a read by key, and runs on the
 * pool.
 */
const STATEMENT_TIMEOUT_MS = 250;
/** Maximum number of statements waiting on one track. */
const MAX_WAITING = 100;
/**
 * Milliseconds without response after which no further statements queue behind waiting ones. If this process itself is
 * late, every event loop turn brings responses, and the lane remains the cheaper way.
 */
const STUCK_MS = 20;
const STUCK_WRITES = 3;
/** Interval of checks in milliseconds. A track that owes a response and stays silent for several checks is dead. */
const CHECK_INTERVAL_MS = 250;
const MAX_SILENT_CHECKS = 4;
/** Milliseconds before a lost track reconnects, doubled on every failure. */
const MIN_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 5_000;

/**
 * Errors that only concern the statement: a value out of range, a write, the timeout. After any other error, the
 * connection is replaced, because its prepared statements may not match the tables.
 */
const STATEMENT_ERRORS = /^(22|25|57014)/;

/** One connection, on which statements are pipelined: sent without waiting for earlier responses. */
class Track {
  /** Number of statements sent and not yet answered. */
  waiting = 0;
  private client?: pg.Client;
  private connecting = false;
  private closed = false;
  private corked = false;
  private lastResponseAt = 0;
  private writesSince = 0;
  private silentChecks = 0;
  private failures = 0;
  private retryAt = 0;

  constructor(
    private readonly config: ClientConfig,
    private readonly onDisconnect: (error: Error) => void,
  ) {}

  /** Returns whether a statement would be answered soon. Reconnects a lost track for later statements. */
  isAvailable(now: number): boolean {
    if (this.client) return this.waiting === 0 || (this.waiting < MAX_WAITING && !this.isStuck(now));
    if (!this.connecting && !this.closed && now >= this.retryAt) this.connect();
    return false;
  }

  send(statement: Statement, now: number): Promise<Row[]> {
    const client = this.client!;
    if (statement.isJoined) this.writesSince++;
    else this.corkUntilNextTurn(client);
    if (this.waiting++ === 0) {
      this.lastResponseAt = now;
      this.writesSince = 0;
    }
    return new Promise((resolve, reject) => {
      const query = new TextQuery(statement, (error, result) => {
        if (error && !STATEMENT_ERRORS.test(errorCode(error))) this.disconnect(client, error);
        if (client === this.client) this.recordResponse();
        if (error) reject(error);
        else resolve(result!.rows);
      });
      client.query(query as unknown as pg.Submittable);
    });
  }

  /**
   * Closes a connection that has owed a response for too long. Checks are counted instead of time, because both clocks
   * are late after a long pause of this process.
   */
  checkLiveness(): void {
    if (this.client && this.waiting > 0 && ++this.silentChecks > MAX_SILENT_CHECKS)
      this.disconnect(this.client, new Error('PostgreSQL does not respond'));
  }

  async close(): Promise<void> {
    this.closed = true;
    const { client } = this;
    this.client = undefined;
    if (this.waiting > 0) streamOf(client!).destroy();
    else await client?.end();
  }

  private isStuck(now: number): boolean {
    return this.writesSince >= STUCK_WRITES && now - this.lastResponseAt >= STUCK_MS;
  }

  /**
   * Sends all statements of one event loop turn in a single write, which is the most expensive part of a small read.
   */
  private corkUntilNextTurn(client: pg.Client): void {
    if (this.corked) return;
    this.corked = true;
    const stream = streamOf(client);
    stream.cork();
    setImmediate(() => {
      this.corked = false;
      this.writesSince++;
      stream.uncork();
    });
  }

  private recordResponse(): void {
    this.waiting--;
    this.lastResponseAt = performance.now();
    this.writesSince = 0;
    this.silentChecks = 0;
    this.failures = 0;
  }

  private connect(): void {
    this.connecting = true;
    const client = new RowClient(this.config);
    client.on('error', (error) => this.disconnect(client, error));
    client.connect((error?: Error | null) => {
      this.connecting = false;
      if (error) this.scheduleReconnect(error);
      else if (this.closed) void client.end();
      else this.client = client;
    });
  }

  /** Gives a connection up and notifies all statements that wait on it. */
  private disconnect(client: pg.Client, error: Error): void {
    if (client !== this.client) return;
    this.client = undefined;
    this.waiting = 0;
    this.silentChecks = 0;
    streamOf(client).destroy();
    this.scheduleReconnect(error);
  }

  private scheduleReconnect(error: Error): void {
    this.retryAt = performance.now() + Math.min(MIN_BACKOFF_MS * 2 ** this.failures++, MAX_BACKOFF_MS);
    this.onDisconnect(error);
  }
}

const streamOf = (client: pg.Client) => client.connection.stream;

/**
 * A few connections shared by all reads by key. A pool gives each statement its own connection, and therefore its own
 * write and read of a socket. Here many statements share a write, and many responses a read. The lane guarantees
 * nothing: statements that it rejects or loses run on the pool, which is why it only accepts reads. Responses arrive in
 * order, so slow statements do not belong here.
 */
export class ReadLane implements OnApplicationShutdown {
  private readonly logger = new Logger(ReadLane.name);
  private readonly tracks: readonly Track[];
  private readonly timer: NodeJS.Timeout;

  constructor(databaseUrl: string) {
    const config: ClientConfig = {
      connectionString: databaseUrl,
      application_name: 'fieldwright-reads',
      connectionTimeoutMillis: 5_000,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      options: SETTINGS.map((setting) => `-c ${setting}`).join(' '),
      pipeline: true,
    };
    const lost = ({ message }: Error) => this.logger.warn(`Lost a connection for reads: ${message}`);
    this.tracks = Array.from({ length: TRACKS }, () => new Track(config, lost));
    this.timer = setInterval(
      () => this.tracks.forEach((track) => track.checkLiveness()),
      CHECK_INTERVAL_MS,
    ).unref();
  }

  /** Sends a statement, unless no connection is free to answer it soon. */
  send(statement: Statement): Promise<Row[]> | undefined {
    const now = performance.now();
    let best: Track | undefined;
    for (const track of this.tracks)
      if (track.isAvailable(now) && (!best || track.waiting < best.waiting)) best = track;
    return best?.send(statement, now);
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.tracks.map((track) => track.close()));
  }
}

/**
 * The connections are read-only. A read by key has one good plan, by the index, whatever the statistics. That plan is
 * made once, and a sequential scan is never chosen because the table was small at the time.
 */
const SETTINGS = [
  'TimeZone=UTC',
  'DateStyle=ISO',
  'default_transaction_read_only=on',
  'plan_cache_mode=force_generic_plan',
  'enable_seqscan=off',
  'jit=off',
];
