import { entities } from './src/families.js';
import { loadConfig } from './src/config/config.js';
import { createDataSource } from './src/platform/database/data-source.js';
import { runningEmbeddedPostgres } from './src/platform/database/running-postgres.js';

const { DATABASE_URL, dataDir } = loadConfig();
const url = DATABASE_URL ?? (await runningEmbeddedPostgres(dataDir));
if (!url) throw new Error('Start the platform, or set DATABASE_URL to the database to migrate.');

/** Data source for TypeORM's command line: `npm run migration:generate -- src/migrations/Name`. */
export default createDataSource({ url, entities });
