import { listQuery } from '../../../platform/lists/query-fields.js';
import { JOB_LOG_QUERY } from './job-log.resource.js';

export class JobLogsQuery extends listQuery({
  sort: ['name', 'status', 'resourceType', 'runQueuedAt', 'runStartedAt', 'runCompletedAt'],
  defaultSort: 'runQueuedAt',
  defaultDirection: 'asc',
  perPage: 100,
  query: JOB_LOG_QUERY,
}) {}
