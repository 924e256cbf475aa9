import { rowCount } from '../../../platform/counts/count-triggers.js';
import type { Family } from '../../../platform/families.js';
import { AuditLog, InstanceAuditLog } from './audit-log.resource.js';
import { AuditLogsModule } from './audit-logs.module.js';

/** Audit logs of organizations and instances. */
export const AUDIT_LOGS_FAMILY: Family = {
  modules: [AuditLogsModule],
  entities: [AuditLog, InstanceAuditLog],
  countedRows: [
    { table: 'audit_logs', holder: 'org_id', amounts: rowCount('auditLogCount') },
    { table: 'instance_audit_logs', holder: 'instance_id', amounts: rowCount('auditLogCount') },
  ],
  tag: {
    name: 'auditLogs',
    title: 'Audit logs',
    group: 'Organizations',
    resources: ['auditLogs', 'auditLog', 'instanceAuditLogs', 'instanceAuditLog'],
    description: 'The changes made in an organization or an instance.',
  },
};
