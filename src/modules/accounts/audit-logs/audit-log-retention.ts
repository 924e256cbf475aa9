import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { Retention } from '../../../platform/database/retention.js';
import { RETENTION_START_ID } from './audit-log.columns.js';

/** Removes audit log entries after one year. */
@Injectable()
export class AuditLogRetention extends Retention {
  constructor(database: Database) {
    super(database, {
      tables: ['audit_logs', 'instance_audit_logs'],
      column: 'id',
      oldest: RETENTION_START_ID,
    });
  }
}
