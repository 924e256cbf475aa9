import { listQuery, QueryJson, QueryTime } from '../../../platform/lists/query-fields.js';
import { AUDIT_LOG_FILTER, FILTER_EXAMPLE, INSTANCE_AUDIT_LOG_FILTER } from './audit-log.filter.js';

const FILTER = { description: 'Filter for the entries to return.', example: FILTER_EXAMPLE };

class LogQuery extends listQuery({
  sort: ['creationDate', 'responseStatus', 'actorName'],
  defaultSort: 'creationDate',
  defaultDirection: 'desc',
  perPage: 100,
}) {
  @QueryTime({
    description:
      'Earliest time of the entries, in milliseconds since 1970, inclusive. Default: the oldest entry kept.',
    example: 1780000000000,
  })
  start?: Date;

  @QueryTime({
    description: 'End of the period, in milliseconds since 1970, exclusive. Default: the latest entry.',
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
