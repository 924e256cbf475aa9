import type { Family } from '../../../platform/families.js';
import { BUNDLED_PRIVATE_FILES } from './private-file.bundle.js';
import { PRIVATE_FILES, PrivateFile } from './private-file.resource.js';
import { PRIVATE_FILES_PURGE } from './private-files.jobs.js';
import { PrivateFilesModule } from './private-files.module.js';

/** Files that can only be read with an expiring link. */
export const PRIVATE_FILES_FAMILY: Family = {
  modules: [PrivateFilesModule],
  entities: [PrivateFile],
  holdings: [PRIVATE_FILES],
  bundles: [BUNDLED_PRIVATE_FILES],
  jobs: [PRIVATE_FILES_PURGE],
  tag: {
    name: 'privateFiles',
    title: 'Private files',
    group: 'Data',
    resources: ['privateFiles', 'privateFile'],
    description: 'Directories and private files, which are accessible only through a signed link.',
  },
};
