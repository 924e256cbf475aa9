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
  tags: [
    { name: 'auditLogs', description: 'List the changes made in an organization.' },
    { name: 'auditLog', description: 'Read an audit log entry of an organization.' },
    {
      name: 'instanceAuditLogs',
      description: 'List the changes made in an instance.',
      after: 'instanceApiToken',
    },
    {
      name: 'instanceAuditLog',
      description: 'Read an audit log entry of an instance.',
      after: 'instanceAuditLogs',
    },
  ],
};
