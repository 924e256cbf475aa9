import { Controller, Get, Param, Query } from '@nestjs/common';
import { INSTANCE_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { InstanceAuditLog, InstanceAuditLogs } from './audit-log.resource.js';
import { InstanceAuditLogsQuery } from './audit-logs.query.js';
import { AuditLogsService } from './audit-logs.service.js';

@Controller('instance/:instanceId/audit-logs')
export class InstanceAuditLogsController {
  constructor(private readonly logs: AuditLogsService) {}

  @Get()
  @Operation('instanceAuditLogs.get', {
    summary: 'Lists the audit log entries of an instance',
    description:
      'Lists who created, changed or deleted resources of the instance: its members, tokens, settings and organizations. Sorted by time, latest first, by default. Entries are kept for one year. Rejected and read-only requests are not recorded.',
    scopes: INSTANCE_READ,
    role: 'view',
    returns: { 200: InstanceAuditLogs },
    missing: 'instance',
  })
  list(
    @Param('instanceId') instanceId: string,
    @Query() query: InstanceAuditLogsQuery,
  ): Promise<StoredPage<InstanceAuditLog>> {
    return this.logs.listOfInstance(instanceId, query);
  }

  @Get(':instanceAuditLogId')
  @Operation('instanceAuditLog.get', {
    summary: 'Returns an audit log entry of an instance',
    description:
      'Returns the request, the actor and the targets of the change. Entries are kept for one year.',
    scopes: INSTANCE_READ,
    role: 'view',
    returns: { 200: InstanceAuditLog },
    missing: 'audit log',
  })
  get(
    @Param('instanceId') instanceId: string,
    @Param('instanceAuditLogId') id: string,
  ): Promise<StoredResource<InstanceAuditLog>> {
    return this.logs.getOfInstance(instanceId, id);
  }
}
