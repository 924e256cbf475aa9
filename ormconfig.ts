import { entities } from './src/entities.js';
import { Config } from './src/config/config.js';
import { createDataSource } from './src/platform/database/data-source.js';

const { DATABASE_URL } = Config.from(process.env);
if (!DATABASE_URL) throw new Error('Set DATABASE_URL to the database that migrations are for.');

/** The data source of TypeORM's command line: `npm run migration:generate -- src/migrations/Name`. */
export default createDataSource({ url: DATABASE_URL, entities });
