import type { ClientBase } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import { MigrationLog } from './migrate.js';
import { SnakeCaseNaming } from './naming.js';

export const STATEMENT_TIMEOUT_MS = 10_000;
/** Whoever waits for a lock keeps a connection from others. */
export const LOCK_TIMEOUT_MS = 2_000;

/** A little more than PostgreSQL gives a statement itself: past that it is the connection that is dead. */
export const QUERY_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 2_000;

/** A connection keeps what it learns of every table that it meets, and data tables may be very many. */
export const CONNECTION_LIFETIME_S = 900;

/**
 * UTC and ISO dates on the wire. Every statement has an index to go by, so none reads a table from end to end because an
 * estimate says that somebody's rows are most of it: the next who asks has few. No plan is worth compiling.
 */
export const SETTINGS = '-c TimeZone=UTC -c DateStyle=ISO -c enable_seqscan=off -c jit=off';

/**
 * An option of pools. A connection that is lost while it is handed out has no other listener, and what nobody hears ends the
 * process; its statement fails.
 */
export function onConnect(client: ClientBase): void {
  client.on('error', () => undefined);
}

/**
 * The options of the one data source: schema from migrations only, every time-out set, UTC and ISO dates on the wire.
 * `entities` may stay empty where nothing but migrations or SQL runs.
 */
export function dataSourceOptions(options: {
  url: string;
  poolSize?: number;
  /** Milliseconds after which an unanswered statement counts as lost; absent, never, as migrations take their time. */
  queryTimeoutMs?: number;
  /** Hears how far migrations are. */
  tell?: (line: string) => void;
  entities?: DataSourceOptions['entities'];
}): DataSourceOptions {
  return {
    type: 'postgres',
    url: options.url,
    entities: options.entities ?? [],
    migrations,
    migrationsTransactionMode: 'all',
    namingStrategy: new SnakeCaseNaming(),
    synchronize: false,
    logger: new MigrationLog(options.tell ?? (() => undefined)),
    poolSize: options.poolSize ?? 10,
    applicationName: 'fieldwright',
    connectTimeoutMS: 5_000,
    extra: {
      options: SETTINGS,
      onConnect,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: options.queryTimeoutMs,
      lock_timeout: LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: 10_000,
      maxLifetimeSeconds: CONNECTION_LIFETIME_S,
    },
  };
}

/** A data source for scripts and tests; the platform's own is made by Nest from the same options. */
export function createDataSource(options: Parameters<typeof dataSourceOptions>[0]): DataSource {
  return new DataSource(dataSourceOptions(options));
}
