import type { Family } from '../../../platform/families.js';
import { FILE_UPLOADS, FileUpload } from './file-upload.entity.js';
import { BUNDLED_FILES } from './file.bundle.js';
import { FILES, File } from './file.resource.js';
import { FILES_PURGE } from './files.jobs.js';
import { FilesModule } from './files.module.js';

/** Public files and directories. */
export const FILES_FAMILY: Family = {
  modules: [FilesModule],
  entities: [File, FileUpload],
  holdings: [FILES, FILE_UPLOADS],
  bundles: [BUNDLED_FILES],
  neverBundled: {
    file_uploads: 'Pending work.',
  },
  jobs: [FILES_PURGE],
  tag: {
    name: 'files',
    title: 'Files',
    group: 'Data',
    resources: ['files', 'file'],
    description: 'Directories and public files, which anyone with the URL can read.',
  },
};
