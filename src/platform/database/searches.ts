import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import { WorkBudget } from '../../lib/async/work-budget.js';
import { ValidationError } from '../../lib/errors/errors.js';
import { CONNECTION_LIFETIME_S, onConnect, SETTINGS } from './data-source.js';
import { errorCode } from './error-code.js';
import type { Statement } from './query.js';
import { RowClient } from './row-client.js';
import { onPool, type QueryType } from './run-statement.js';

/** Owner of the searched rows, and the request parameter that contains the search. */
export interface Search {
  owner: string;
  parameter: string;
}

/** Maximum time for which a user waits in front of a screen. Queries that use an index take a hundredth of it. */
export const SEARCH_TIMEOUT_MS = 2_500;
/** Additional time after which the connection counts as dead. */
const RESPONSE_GRACE_MS = 2_000;
/** Less than the statement timeout, so that waiting for a lock is not mistaken for a search that is too broad. */
const LOCK_TIMEOUT_MS = 1_000;
/** Maximum number of processor cores that searches use per platform process, across all owners. */
const CONNECTIONS = 4;
/** Half of the connections, so that no owner blocks the searches of others. */
const CONNECTIONS_PER_OWNER = CONNECTIONS / 2;
/** More than a screen sends concurrently. */
const MAX_QUEUED = 30;

/** PostgreSQL's code for a statement timeout. */
const STATEMENT_TIMEOUT = '57014';

/**
 * Depending on the pattern, few rows match or all of them. A generic plan would fetch all matches one by one, so each
 * search is planned for its own values.
 */
const FORCE_CUSTOM_PLAN = '-c plan_cache_mode=force_custom_plan';

/**
 * Runs statements whose conditions callers define. No index covers all of them, so they have separate connections, a
 * short timeout, and a limit per owner: the searches of one tenant do not slow down the requests of others. Connections
 * are opened on demand and are read-only.
 */
export class Searches implements OnApplicationShutdown {
  private readonly pool: pg.Pool;
  private readonly budget = new WorkBudget({
    concurrency: CONNECTIONS,
    concurrencyPerOwner: CONNECTIONS_PER_OWNER,
    waitingPerOwner: MAX_QUEUED,
    patienceMs: SEARCH_TIMEOUT_MS,
    retryAfterSeconds: Math.ceil(SEARCH_TIMEOUT_MS / 1000),
    messages: {
      own: 'Too many concurrent searches: wait for the running ones to finish',
      others: 'Other callers are running too many searches at the moment, try again',
    },
  });

  constructor(databaseUrl: string) {
    const logger = new Logger(Searches.name);
    this.pool = new pg.Pool({
      Client: RowClient,
      connectionString: databaseUrl,
      application_name: 'fieldwright-searches',
      onConnect,
      max: CONNECTIONS,
      connectionTimeoutMillis: 5_000,
      options: `${SETTINGS} ${FORCE_CUSTOM_PLAN} -c default_transaction_read_only=on`,
      statement_timeout: SEARCH_TIMEOUT_MS,
      query_timeout: SEARCH_TIMEOUT_MS + RESPONSE_GRACE_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
      maxLifetimeSeconds: CONNECTION_LIFETIME_S,
    });
    this.pool.on('error', ({ message }) => logger.warn(`Lost a connection for searches: ${message}`));
  }

  /** Returns the rows that a statement finds. Rejects as `runLimited` does. */
  run<T>(Query: QueryType<T>, statement: Statement, search: Search): Promise<T[]> {
    return this.runLimited(search, () => onPool(this.pool, Query, statement));
  }

  /**
   * Runs work with the timeout of a search. Throws a `400` error if it times out, and a `429` error if the owner has
   * too many concurrent searches.
   */
  async runLimited<T>({ owner, parameter }: Search, work: () => Promise<T>): Promise<T> {
    try {
      return await this.budget.run(owner, work);
    } catch (error) {
      throw errorCode(error) === STATEMENT_TIMEOUT ? searchTimeoutError(parameter) : error;
    }
  }

  onApplicationShutdown(): Promise<void> {
    return this.pool.end();
  }
}

/** Error for a search that timed out: the caller should narrow it rather than retry. */
const searchTimeoutError = (parameter: string): ValidationError =>
  new ValidationError(`${parameter} took too long to search for: narrow the search, or use another field`);
