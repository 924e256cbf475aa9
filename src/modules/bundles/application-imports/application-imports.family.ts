import type { Family } from '../../../platform/families.js';
import { APPLICATION_IMPORTS, ApplicationImport } from './application-import.entity.js';
import { ImportTurn } from './import-turn.entity.js';
import { APPLICATION_IMPORT } from './import.job.js';
import { ImportsModule } from './imports.module.js';

/** Imports of bundles into new and existing applications, and clones. */
export const APPLICATION_IMPORTS_FAMILY: Family = {
  modules: [ImportsModule],
  entities: [ApplicationImport, ImportTurn],
  holdings: [APPLICATION_IMPORTS],
  neverBundled: {
    application_imports: 'History.',
  },
  jobs: [APPLICATION_IMPORT],
};
