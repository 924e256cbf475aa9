import type { ClientBase } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import { MigrationLog } from './migrate.js';
import { SnakeCaseNaming } from './naming.js';
import { RowClient } from './row-client.js';

export const STATEMENT_TIMEOUT_MS = 10_000;
/** Maximum wait for a lock, since the waiting statement occupies a connection. */
export const LOCK_TIMEOUT_MS = 2_000;

/** Slightly longer than PostgreSQL's own statement timeout, after which the connection counts as dead. */
export const QUERY_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 2_000;

/** Limits the metadata that a connection caches for every table it uses, as there may be very many data tables. */
export const CONNECTION_LIFETIME_S = 900;

/**
 * Dates on the wire are ISO in UTC. Every statement has a matching index, so none may scan a whole table because one
 * tenant's rows make up most of it: the next tenant may have few. No plan is worth JIT compilation.
 */
export const SETTINGS = '-c TimeZone=UTC -c DateStyle=ISO -c enable_seqscan=off -c jit=off';

/**
 * Plans each prepared statement once, for any values. Otherwise PostgreSQL compares the cost of this plan with the costs of
 * earlier plans for single values. Once a table was larger when the former was made, every execution is planned again,
 * which takes longer than the execution.
 */
export const GENERIC_PLANS = '-c plan_cache_mode=force_generic_plan';

/**
 * Pool option. A connection that is lost while it is checked out has no other error listener, and an unhandled error
 * event would end the process. The statement itself fails.
 */
export function onConnect(client: ClientBase): void {
  client.on('error', () => undefined);
}

/**
 * Returns the options of the only data source: schema from migrations only, all timeouts set, ISO dates in UTC on the
 * wire. `entities` may be empty if only migrations or SQL run.
 */
export function dataSourceOptions(options: {
  url: string;
  poolSize?: number;
  /**
   * Milliseconds after which an unanswered statement counts as lost; absent for none, since migrations may take long.
   */
  queryTimeoutMs?: number;
  /** Receives the progress of migrations. */
  report?: (line: string) => void;
  entities?: DataSourceOptions['entities'];
}): DataSourceOptions {
  return {
    type: 'postgres',
    url: options.url,
    entities: options.entities ?? [],
    migrations,
    migrationsTransactionMode: 'each',
    namingStrategy: new SnakeCaseNaming(),
    synchronize: false,
    logger: new MigrationLog(options.report ?? (() => undefined)),
    poolSize: options.poolSize ?? 10,
    applicationName: 'fieldwright',
    connectTimeoutMS: 5_000,
    extra: {
      Client: RowClient,
      options: `${SETTINGS} ${GENERIC_PLANS}`,
      onConnect,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: options.queryTimeoutMs,
      lock_timeout: LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: 10_000,
      maxLifetimeSeconds: CONNECTION_LIFETIME_S,
    },
  };
}

/** Creates a data source for scripts and tests. Nest creates the platform's own from the same options. */
export function createDataSource(options: Parameters<typeof dataSourceOptions>[0]): DataSource {
  return new DataSource(dataSourceOptions(options));
}
