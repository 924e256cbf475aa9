import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import { ValidationError } from '../../lib/errors/errors.js';
import { CONNECTION_LIFETIME_S, onConnect, SETTINGS } from './data-source.js';
import { errorCode } from './error-code.js';
import { TextQuery, type Statement } from './query.js';
import type { Row } from './row-shape.js';
import { onPool } from './run-statement.js';
import { Turns } from './turns.js';

/** Whose rows are searched, and the parameter of the request that says for what. */
export interface Search {
  owner: string;
  parameter: string;
}

/** What somebody waits for at a screen. Everything that an index answers takes a hundredth of it. */
export const SEARCH_TIMEOUT_MS = 2_500;
/** Past that it is the connection that is dead. */
const SILENCE_MS = 2_000;
/** Less than the time-out, so that a lock is never taken for a search that asks too much. */
const LOCK_TIMEOUT_MS = 1_000;
/** As many processors as a search may keep busy for each process of the platform, whoever asks. */
const CONNECTIONS = 4;
/** Half of them, so that nobody keeps others from searching. */
const OF_EACH_OWNER = CONNECTIONS / 2;
/** More than a screen sends at once. */
const MOST_WAITING = 30;

/** PostgreSQL's code of a statement that took longer than it may. */
const STATEMENT_TIMEOUT = '57014';

/**
 * What matches is few rows or all, as the pattern says: a plan for any value would find all of them one by one. So each search
 * is planned for what it looks for.
 */
const PLANNED_EACH = '-c plan_cache_mode=force_custom_plan';

/**
 * Statements that callers shape by what they search for. No index answers all of them, so they have connections of their own, a
 * time-out that is short, and for each owner a few at a time: what one tenant searches for takes nothing from the requests
 * of others. Connections are opened when they are needed and nothing is written on them.
 */
export class Searches implements OnApplicationShutdown {
  private readonly pool: pg.Pool;
  private readonly turns = new Turns({
    atOnce: CONNECTIONS,
    ofEach: OF_EACH_OWNER,
    waiting: MOST_WAITING,
    patienceMs: SEARCH_TIMEOUT_MS,
    refusals: {
      own: 'Too many searches at once: wait for those that run',
      others: 'Others search too much at the moment, try again',
    },
  });

  constructor(databaseUrl: string) {
    const logger = new Logger(Searches.name);
    this.pool = new pg.Pool({
      connectionString: databaseUrl,
      application_name: 'fieldwright-searches',
      onConnect,
      max: CONNECTIONS,
      connectionTimeoutMillis: 5_000,
      options: `${SETTINGS} ${PLANNED_EACH} -c default_transaction_read_only=on`,
      statement_timeout: SEARCH_TIMEOUT_MS,
      query_timeout: SEARCH_TIMEOUT_MS + SILENCE_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
      maxLifetimeSeconds: CONNECTION_LIFETIME_S,
    });
    this.pool.on('error', ({ message }) => logger.warn(`A connection for searches was lost: ${message}`));
  }

  /** The rows that a statement finds; refused as `admit` says. */
  run(statement: Statement, search: Search): Promise<Row[]> {
    return this.admit(search, () => onPool(this.pool, TextQuery, statement));
  }

  /** Work that has the time-out of a search; 400 where that is too short, 429 beyond what one owner may search for at a time. */
  async admit<T>({ owner, parameter }: Search, work: () => Promise<T>): Promise<T> {
    try {
      return await this.turns.run(owner, work);
    } catch (error) {
      throw errorCode(error) === STATEMENT_TIMEOUT ? tooWide(parameter) : error;
    }
  }

  onApplicationShutdown(): Promise<void> {
    return this.pool.end();
  }
}

/** What a caller is told whose search did not end in time: to search less, not to try again. */
const tooWide = (parameter: string): ValidationError =>
  new ValidationError(`${parameter} took too long to search for: ask for less, or by another field`);
