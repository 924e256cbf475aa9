import { AUDIT_LOG_COUNT } from '../../../platform/audit/audit.js';
import { rowCount } from '../../../platform/counts/count-triggers.js';
import type { Family } from '../../../platform/families.js';
import { AuditLog, InstanceAuditLog } from './audit-log.resource.js';
import { AuditLogsModule } from './audit-logs.module.js';

/** Audit logs of organizations and instances. */
export const AUDIT_LOGS_FAMILY: Family = {
  modules: [AuditLogsModule],
  entities: [AuditLog, InstanceAuditLog],
  countedRows: [
    { table: 'audit_logs', holder: 'org_id', amounts: rowCount(AUDIT_LOG_COUNT), countedOnInsert: true },
    {
      table: 'instance_audit_logs',
      holder: 'instance_id',
      amounts: rowCount(AUDIT_LOG_COUNT),
      countedOnInsert: true,
    },
  ],
  tag: {
    name: 'auditLogs',
    title: 'Audit logs',
    group: 'Organizations',
    resources: ['auditLogs', 'auditLog', 'instanceAuditLogs', 'instanceAuditLog'],
    description: 'The changes made in an organization or an instance.',
  },
};
