import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import {
  LOCK_TIMEOUT_MS,
  onConnect,
  QUERY_TIMEOUT_MS,
  SETTINGS,
  STATEMENT_TIMEOUT_MS,
} from './data-source.js';
import { TextQuery, type Statement } from './query.js';
import type { Row } from './row-shape.js';
import { onPool } from './run-statement.js';

/** Batches at once, of all who write so. */
const CONNECTIONS = 4;

/**
 * Connections for statements that take rows as arrays, many times a second. Their plans are made once, for arrays of any length:
 * PostgreSQL takes a plan that was made for a short array for the cheaper one, and then plans each time anew, which takes
 * longer than to store a few rows.
 */
export class BulkWrites implements OnApplicationShutdown {
  private readonly pool: pg.Pool;

  constructor(databaseUrl: string) {
    const logger = new Logger(BulkWrites.name);
    this.pool = new pg.Pool({
      connectionString: databaseUrl,
      application_name: 'fieldwright-writes',
      onConnect,
      max: CONNECTIONS,
      connectionTimeoutMillis: 5_000,
      options: `${SETTINGS} -c plan_cache_mode=force_generic_plan`,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
    });
    this.pool.on('error', ({ message }) => logger.warn(`A connection for writes was lost: ${message}`));
  }

  run(statement: Statement): Promise<Row[]> {
    return onPool(this.pool, TextQuery, statement);
  }

  onApplicationShutdown(): Promise<void> {
    return this.pool.end();
  }
}
