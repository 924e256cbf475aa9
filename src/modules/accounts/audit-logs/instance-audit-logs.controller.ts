import { Controller, Get, Param, Query } from '@nestjs/common';
import { INSTANCE_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored, StoredPage } from '../../../platform/responses/answers.js';
import { InstanceAuditLog, InstanceAuditLogs } from './audit-log.resource.js';
import { InstanceAuditLogsQuery } from './audit-logs.query.js';
import { AuditLogsService } from './audit-logs.service.js';

@Controller('instance/:instanceId/audit-logs')
export class InstanceAuditLogsController {
  constructor(private readonly logs: AuditLogsService) {}

  @Get()
  @Operation('instanceAuditLogs.get', {
    summary: 'Returns the audit log of an instance',
    description:
      'Who created, changed and deleted what in the instance: its members, tokens and settings, and its organizations, by default the latest first. Entries are kept for a year. What was refused or only read is not in it. Needs the role `view` in the instance.',
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
    summary: 'Returns an entry of the audit log of an instance',
    description: 'Entries are kept for a year. Needs the role `view` in the instance.',
    scopes: INSTANCE_READ,
    role: 'view',
    returns: { 200: InstanceAuditLog },
    missing: 'audit log',
  })
  get(
    @Param('instanceId') instanceId: string,
    @Param('instanceAuditLogId') id: string,
  ): Promise<Stored<InstanceAuditLog>> {
    return this.logs.getOfInstance(instanceId, id);
  }
}
