import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import {
  GENERIC_PLANS,
  LOCK_TIMEOUT_MS,
  onConnect,
  QUERY_TIMEOUT_MS,
  SETTINGS,
  STATEMENT_TIMEOUT_MS,
} from './data-source.js';
import { ObjectQuery, TextQuery, type Statement } from './query.js';
import { RowClient } from './row-client.js';
import type { Row } from './row-shape.js';
import { onPool } from './run-statement.js';

/** Maximum number of concurrent batches, across all writers: reports of devices, received requests, ends of runs. */
const CONNECTIONS = 8;

/**
 * Connections for statements that receive rows as arrays, many times per second. They find rows in the order of an index:
 * without statistics, a bitmap seems cheaper, which would read and sort all rows of a lane of runs for each page of it.
 */
export class BulkWrites implements OnApplicationShutdown {
  private readonly pool: pg.Pool;

  constructor(databaseUrl: string) {
    const logger = new Logger(BulkWrites.name);
    this.pool = new pg.Pool({
      Client: RowClient,
      connectionString: databaseUrl,
      application_name: 'fieldwright-writes',
      onConnect,
      max: CONNECTIONS,
      connectionTimeoutMillis: 5_000,
      options: `${SETTINGS} ${GENERIC_PLANS} -c enable_bitmapscan=off`,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
    });
    this.pool.on('error', ({ message }) => logger.warn(`Lost a connection for writes: ${message}`));
  }

  run(statement: Statement): Promise<Row[]> {
    return onPool(this.pool, TextQuery, statement);
  }

  rows<T extends object>(statement: Statement): Promise<T[]> {
    return onPool(this.pool, ObjectQuery<T>, statement);
  }

  onApplicationShutdown(): Promise<void> {
    return this.pool.end();
  }
}
