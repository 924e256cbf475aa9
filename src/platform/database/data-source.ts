import { DataSource, type DataSourceOptions, type Logger } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import { SnakeCaseNaming } from './naming.js';

/**
 * The options of the one data source: schema from migrations only, every time-out set, UTC and ISO dates on the wire.
 * `entities` may stay empty where nothing but migrations or SQL runs.
 */
export function dataSourceOptions(options: {
  url: string;
  poolSize?: number;
  logger?: Logger;
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
    logger: options.logger,
    poolSize: options.poolSize ?? 10,
    applicationName: 'fieldwright',
    connectTimeoutMS: 5_000,
    extra: {
      options: '-c TimeZone=UTC -c DateStyle=ISO',
      statement_timeout: 10_000,
      lock_timeout: 5_000,
      idle_in_transaction_session_timeout: 10_000,
    },
  };
}

/** A data source for scripts and tests; the platform's own is made by Nest from the same options. */
export function createDataSource(options: Parameters<typeof dataSourceOptions>[0]): DataSource {
  return new DataSource(dataSourceOptions(options));
}
