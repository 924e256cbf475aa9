import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import pg, { type Pool } from 'pg';
import { DataSource } from 'typeorm';
import { poolOf } from './run-statement.js';

const CHECK_INTERVAL_MS = 250;
/** Milliseconds that a statement may wait for a lock while others wait for its connection. */
const MAX_LOCK_WAIT_MS = 250;

const CANCEL = `SELECT pg_cancel_backend(pid) FROM pg_locks
  WHERE NOT granted AND pid = ANY($1) AND waitstart < now() - $2 * interval '1 millisecond'`;

/**
 * Prevents a locked table from blocking unrelated requests. Statements that wait for a lock hold their connections, and
 * once they hold all of them, every request waits. In that case this class cancels them. Otherwise they may wait until
 * the lock timeout.
 */
@Injectable()
export class LockWatchdog implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(LockWatchdog.name);
  private readonly pool: Pool;
  private readonly processIds = new Map<object, number>();
  private released = 0;
  private timer?: NodeJS.Timeout;

  constructor(private readonly dataSource: DataSource) {
    this.pool = poolOf(dataSource);
    this.pool.on('connect', (client) => this.processIds.set(client, processIdOf(client)));
    this.pool.on('remove', (client) => this.processIds.delete(client));
    this.pool.on('release', () => this.released++);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.check(), CHECK_INTERVAL_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** A pool that is merely busy releases its connections many times between two checks. */
  private async check(): Promise<void> {
    const { released } = this;
    this.released = 0;
    if (this.pool.waitingCount === 0 || released >= this.pool.options.max) return;
    try {
      const ended = await this.cancelBlocked();
      if (ended)
        this.logger.warn(
          `Canceled statements that waited for a lock while all connections were in use: ${ended}`,
        );
    } catch (error) {
      this.logger.warn(`Could not determine the statements that wait for locks: ${(error as Error).message}`);
    }
  }

  /** Uses a separate connection, because the pool has none left. */
  private async cancelBlocked(): Promise<number> {
    const { url } = this.dataSource.options as { url: string };
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CHECK_INTERVAL_MS * 4,
      query_timeout: CHECK_INTERVAL_MS * 4,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rowCount } = await client.query(CANCEL, [[...this.processIds.values()], MAX_LOCK_WAIT_MS]);
      return rowCount ?? 0;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** Returns the server process ID of a connection, with which its statement can be canceled. */
const processIdOf = (client: object): number => (client as { processID: number }).processID;
