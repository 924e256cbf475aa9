import type { Family } from '../../../platform/families.js';
import { LOGGED_JOBS } from '../../../platform/jobs/job-rows.js';
import { JOBS } from './job-log.resource.js';
import { JobLogsModule } from './job-logs.module.js';

/** Job logs as shown to clients of applications. */
export const JOB_LOGS_FAMILY: Family = {
  modules: [JobLogsModule],
  holdings: [JOBS],
  neverBundled: {
    jobs: 'History.',
  },
  countedRows: [LOGGED_JOBS],
  tag: {
    name: 'jobLogs',
    title: 'Jobs',
    group: 'Applications',
    resources: ['applicationJobLogs', 'applicationJobLog'],
    description:
      'The long-running jobs of an application: list them, read one, or follow its progress as an event stream.',
  },
};
