import type { Family } from '../../../platform/families.js';
import { USAGE_REPORT } from './usage-report.job.js';
import { UsageReportsModule } from './usage-reports.module.js';

/** Usage reports of instances. */
export const USAGE_REPORTS_FAMILY: Family = {
  modules: [UsageReportsModule],
  jobs: [USAGE_REPORT],
};
