import type { DataSource } from 'typeorm';
import type { Config } from '../config/config.js';
import { prepareDatabase } from '../first-start.js';
import { createDataSource } from '../platform/database/data-source.js';
import { errorCode } from '../platform/database/error-code.js';
import { hasEmbeddedPostgres, startEmbeddedPostgres } from '../platform/database/embedded-postgres.js';
import { dataDirError } from '../lib/processes/data-folder.js';
import { runningEmbeddedPostgres } from '../platform/database/running-postgres.js';

/** PostgreSQL error codes for an undefined table and an undefined column. */
const OUTDATED_MESSAGE = ['42P01', '42703'];

/**
 * Runs `work` on the database of the platform. Tries `DATABASE_URL`, then the embedded database of a running platform.
 * Otherwise starts and migrates the embedded database in `DATA_DIR` for the duration. Never creates a database. Rejects
 * with a message for the operator.
 */
export async function withDatabase(
  config: Config,
  work: (dataSource: DataSource) => Promise<void>,
): Promise<void> {
  const url = config.DATABASE_URL ?? (await runningEmbeddedPostgres(config.dataDir));
  if (url) return connected(url, work);
  if (!hasEmbeddedPostgres(config.dataDir)) {
    throw new Error(
      `There is no platform in ${config.dataDir}: set DATA_DIR to its folder, or start the platform there once first.`,
    );
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const log = { debug: () => undefined, warn: console.warn, error: console.error };
  const { dataDir } = config;
  const postgres = await startEmbeddedPostgres({ dataDir, log }).catch((error: Error) => {
    throw dataDirError(error, dataDir);
  });
  try {
    await connected(postgres.url, async (dataSource) => {
      const first = await prepareDatabase(dataSource, config);
      if (first.password) {
        console.log(`Administrator ${first.adminEmail} was created with the password  ${first.password}`);
      }
      await work(dataSource);
    });
  } finally {
    await postgres.stop();
  }
}

async function connected(url: string, work: (dataSource: DataSource) => Promise<void>): Promise<void> {
  // Loaded here, because commands without a database do not need the families.
  const { entities } = await import('../families.js');
  const dataSource = createDataSource({ url, entities, poolSize: 2, report: console.log });
  await dataSource.initialize().catch((error: Error) => {
    throw new Error(`The database cannot be reached: ${error.message || errorCode(error)}`);
  });
  try {
    await work(dataSource);
  } catch (error) {
    if (!OUTDATED_MESSAGE.includes(errorCode(error))) throw error;
    throw new Error(
      'The tables of the database are missing or older than this program: start the platform once first.',
    );
  } finally {
    await dataSource.destroy();
  }
}
