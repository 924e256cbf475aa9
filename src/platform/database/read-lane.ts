import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import pg, { type ClientConfig } from 'pg';
import { errorCode } from './error-code.js';
import { TextQuery, type Statement } from './query.js';
import type { Row } from './row-shape.js';

/** With one, whoever stands behind a slow statement has no other; with four, fewer statements share a write. */
const TRACKS = 2;
/** Milliseconds that the server gives a statement here: what needs more is no read by key, and runs on the pool. */
const STATEMENT_TIMEOUT_MS = 250;
/** Statements that may wait on one track. */
const MOST_WAITING = 100;
/**
 * Nobody queues behind statements that have waited so many milliseconds and writes without an answer. Where this process is what
 * is late, each turn of its loop brings answers, and the lane is the cheaper way.
 */
const STUCK_MS = 20;
const STUCK_WRITES = 3;
/** A track that is owed an answer and silent for so many looks, one each `LOOK_MS`, is dead. */
const LOOK_MS = 250;
const SILENT_LOOKS = 4;
/** Milliseconds until a track that was lost is connected again, doubled with each failure. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Errors that concern the one statement: a value out of range, a write, the time-out. After any other the connection is
 * replaced, as what is prepared on it may be at odds with the tables.
 */
const OF_THE_STATEMENT = /^(22|25|57014)/;

/** One connection, on which statements go out without waiting for the answers to those before them. */
class Track {
  /** Statements that were sent and are not answered. */
  waiting = 0;
  private client?: pg.Client;
  private connecting = false;
  private closed = false;
  private corked = false;
  private movedAt = 0;
  private writesSince = 0;
  private silentLooks = 0;
  private failures = 0;
  private retryAt = 0;

  constructor(
    private readonly config: ClientConfig,
    private readonly onLoss: (error: Error) => void,
  ) {}

  /** Whether a statement would be answered soon. A track that is down is connected for the ones to come. */
  isFree(now: number): boolean {
    if (this.client) return this.waiting === 0 || (this.waiting < MOST_WAITING && !this.isStuck(now));
    if (!this.connecting && !this.closed && now >= this.retryAt) this.connect();
    return false;
  }

  send(statement: Statement, now: number): Promise<Row[]> {
    const client = this.client!;
    this.corkUntilAllAreIn(client);
    if (this.waiting++ === 0) {
      this.movedAt = now;
      this.writesSince = 0;
    }
    return new Promise((resolve, reject) => {
      const query = new TextQuery(statement, (error, result) => {
        if (error && !OF_THE_STATEMENT.test(errorCode(error))) this.lose(client, error);
        if (client === this.client) this.moved();
        if (error) reject(error);
        else resolve(result!.rows);
      });
      client.query(query as unknown as pg.Submittable);
    });
  }

  /** Ends a connection that owes an answer for too long. Looks are counted, since after a long pause of this process both clocks are late. */
  look(): void {
    if (this.client && this.waiting > 0 && ++this.silentLooks > SILENT_LOOKS)
      this.lose(this.client, new Error('PostgreSQL is silent'));
  }

  async close(): Promise<void> {
    this.closed = true;
    const { client } = this;
    this.client = undefined;
    if (this.waiting > 0) streamOf(client!).destroy();
    else await client?.end();
  }

  private isStuck(now: number): boolean {
    return this.writesSince >= STUCK_WRITES && now - this.movedAt >= STUCK_MS;
  }

  /** What comes in one turn of the event loop goes out in one write: a write is what costs most of a small read. */
  private corkUntilAllAreIn(client: pg.Client): void {
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

  private moved(): void {
    this.waiting--;
    this.movedAt = performance.now();
    this.writesSince = 0;
    this.silentLooks = 0;
    this.failures = 0;
  }

  private connect(): void {
    this.connecting = true;
    const client = new pg.Client(this.config);
    client.on('error', (error) => this.lose(client, error));
    client.connect((error?: Error | null) => {
      this.connecting = false;
      if (error) this.pause(error);
      else if (this.closed) void client.end();
      else this.client = client;
    });
  }

  /** Gives a connection up; all that wait on it hear of it. */
  private lose(client: pg.Client, error: Error): void {
    if (client !== this.client) return;
    this.client = undefined;
    this.waiting = 0;
    this.silentLooks = 0;
    streamOf(client).destroy();
    this.pause(error);
  }

  private pause(error: Error): void {
    this.retryAt = performance.now() + Math.min(FIRST_PAUSE_MS * 2 ** this.failures++, LONGEST_PAUSE_MS);
    this.onLoss(error);
  }
}

const streamOf = (client: pg.Client) => client.connection.stream;

/**
 * A few connections that all reads by key share. Where a pool gives each statement a connection, and so a write and a read of
 * a socket, here many go out in one write and come back in one read. It promises nothing: what it does not take or
 * loses is run on the pool, which is why it only takes reads. Answers come in order, so nothing slow belongs here.
 */
export class ReadLane implements OnApplicationShutdown {
  private readonly logger = new Logger(ReadLane.name);
  private readonly tracks: readonly Track[];
  private readonly looking: NodeJS.Timeout;

  constructor(databaseUrl: string) {
    const config: ClientConfig = {
      connectionString: databaseUrl,
      application_name: 'fieldwright-reads',
      connectionTimeoutMillis: 5_000,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      options: SETTINGS.map((setting) => `-c ${setting}`).join(' '),
      pipeline: true,
    };
    const lost = ({ message }: Error) => this.logger.warn(`A connection for reads was lost: ${message}`);
    this.tracks = Array.from({ length: TRACKS }, () => new Track(config, lost));
    this.looking = setInterval(() => this.tracks.forEach((track) => track.look()), LOOK_MS).unref();
  }

  /** Sends a statement, unless no connection is free to answer it soon. */
  send(statement: Statement): Promise<Row[]> | undefined {
    const now = performance.now();
    let best: Track | undefined;
    for (const track of this.tracks)
      if (track.isFree(now) && (!best || track.waiting < best.waiting)) best = track;
    return best?.send(statement, now);
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.looking);
    await Promise.all(this.tracks.map((track) => track.close()));
  }
}

/**
 * Nothing is written. A read by key has one good plan, by the index, whatever the statistics say or lack: it is made once,
 * and no sequential scan is taken for cheaper because the table was small at the time.
 */
const SETTINGS = [
  'TimeZone=UTC',
  'DateStyle=ISO',
  'default_transaction_read_only=on',
  'plan_cache_mode=force_generic_plan',
  'enable_seqscan=off',
  'jit=off',
];
