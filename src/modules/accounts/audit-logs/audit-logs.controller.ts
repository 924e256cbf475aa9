import { Controller, Get, Param, Query } from '@nestjs/common';
import { ORGANIZATION_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { AuditLog, AuditLogs } from './audit-log.resource.js';
import { AuditLogsQuery } from './audit-logs.query.js';
import { AuditLogsService } from './audit-logs.service.js';

@Controller('orgs/:orgId/audit-logs')
export class AuditLogsController {
  constructor(private readonly logs: AuditLogsService) {}

  @Get()
  @Operation('auditLogs.get', {
    summary: 'Lists the audit log entries of an organization',
    description:
      'Lists who created, changed or deleted resources of the organization, its applications and their contents. Sorted by time, latest first, by default. Entries are kept for one year. Rejected and read-only requests are not recorded.',
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
    summary: 'Returns an audit log entry of an organization',
    description:
      'Returns the request, the actor and the targets of the change. Entries are kept for one year.',
    scopes: ORGANIZATION_READ,
    role: 'admin',
    returns: { 200: AuditLog },
    missing: 'audit log',
  })
  get(@Param('orgId') orgId: string, @Param('auditLogId') id: string): Promise<StoredResource<AuditLog>> {
    return this.logs.getOfOrganization(orgId, id);
  }
}
