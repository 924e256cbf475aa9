import { listQuery, QueryJson, QueryTime } from '../../../platform/lists/query-fields.js';
import { AUDIT_LOG_FILTER, FILTER_EXAMPLE, INSTANCE_AUDIT_LOG_FILTER } from './audit-log.filter.js';

const FILTER = { description: 'Which entries to return.', example: FILTER_EXAMPLE };

class LogQuery extends listQuery({
  sort: ['creationDate', 'responseStatus', 'actorName'],
  defaultSort: 'creationDate',
  defaultDirection: 'desc',
  perPage: 100,
}) {
  @QueryTime({
    description: 'The earliest time of an entry, in milliseconds since 1970; absent, the first that is kept.',
    example: 1780000000000,
  })
  start?: Date;

  @QueryTime({
    description:
      'The time before which entries are returned, in milliseconds since 1970; absent, up to the latest.',
    example: 1790000000000,
  })
  end?: Date;
}

export class AuditLogsQuery extends LogQuery {
  @QueryJson(AUDIT_LOG_FILTER, FILTER)
  auditLogFilter?: object;
}

export class InstanceAuditLogsQuery extends LogQuery {
  @QueryJson(INSTANCE_AUDIT_LOG_FILTER, FILTER)
  auditLogFilter?: object;
}
