import type { Family } from '../../../platform/families.js';
import { COUNTED_APPLICATIONS } from './application.columns.js';
import { Application } from './application.resource.js';
import { APPLICATION_PURGE } from './applications.jobs.js';
import { ApplicationsModule } from './applications.module.js';
import { RECENT_APPLICATION } from './applications.repository.js';

/** Applications, which contain all other resources of their owners. */
export const APPLICATIONS_FAMILY: Family = {
  modules: [ApplicationsModule],
  entities: [Application],
  jobs: [APPLICATION_PURGE],
  recentKinds: { application: RECENT_APPLICATION },
  countedRows: COUNTED_APPLICATIONS,
  tag: {
    name: 'applications',
    title: 'Applications',
    group: 'Applications',
    resources: ['applications', 'application'],
    description:
      'Applications, which contain devices, workflows and all related resources: their globals, readme, exports and archives.',
  },
};
