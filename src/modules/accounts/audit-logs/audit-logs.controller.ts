import { Controller, Get, Param, Query } from '@nestjs/common';
import { ORGANIZATION_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored, StoredPage } from '../../../platform/responses/answers.js';
import { AuditLog, AuditLogs } from './audit-log.resource.js';
import { AuditLogsQuery } from './audit-logs.query.js';
import { AuditLogsService } from './audit-logs.service.js';

@Controller('orgs/:orgId/audit-logs')
export class AuditLogsController {
  constructor(private readonly logs: AuditLogsService) {}

  @Get()
  @Operation('auditLogs.get', {
    summary: 'Returns the audit log of an organization',
    description:
      'Who created, changed and deleted what in the organization, its applications and what they hold, by default the latest first. Entries are kept for a year. What was refused or only read is not in it. Needs the role `admin` in the organization.',
    scopes: ORGANIZATION_READ,
    role: 'admin',
    returns: { 200: AuditLogs },
    missing: 'organization',
  })
  list(@Param('orgId') orgId: string, @Query() query: AuditLogsQuery): Promise<StoredPage<AuditLog>> {
    return this.logs.listOfOrganization(orgId, query);
  }

  @Get(':auditLogId')
  @Operation('auditLog.get', {
    summary: 'Returns an entry of the audit log of an organization',
    description: 'Entries are kept for a year. Needs the role `admin` in the organization.',
    scopes: ORGANIZATION_READ,
    role: 'admin',
    returns: { 200: AuditLog },
    missing: 'audit log',
  })
  get(@Param('orgId') orgId: string, @Param('auditLogId') id: string): Promise<Stored<AuditLog>> {
    return this.logs.getOfOrganization(orgId, id);
  }
}
