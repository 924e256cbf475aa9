import { Controller, Get, Param, Query } from '@nestjs/common';
import { INSTANCE_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import { ATTRIBUTION_NOTE, usageOperations } from './usage.operations.js';
import { PayloadsBreakdownQuery, PayloadsQuery, UsageQuery } from './usage.query.js';
import { ofOwner, UsageService, type Steps } from './usage.service.js';

const USAGE = usageOperations({
  of: 'an organization',
  includes: 'Counts cover all applications of the organization.',
  owned: ATTRIBUTION_NOTE,
  scopes: INSTANCE_READ,
  role: 'view',
  missing: 'organization',
});

@Controller('instances/:instanceId/orgs/:orgId')
export class InstanceOrgUsageController {
  constructor(private readonly usage: UsageService) {}

  @Get('payloadCounts')
  @Operation('instanceOrg.payloadCounts', USAGE.payloadCounts)
  payloadCounts(@Param('orgId') id: string, @Query() query: PayloadsQuery): Promise<object> {
    return this.usage.payloadCounts(ofOwner(id), query);
  }

  @Get('payloadCountsBreakdown')
  @Operation('instanceOrg.payloadCountsBreakdown', USAGE.payloadCountsBreakdown)
  payloadCountsBreakdown(@Param('orgId') id: string, @Query() query: PayloadsBreakdownQuery): Promise<Steps> {
    return this.usage.payloadCountsBreakdown(ofOwner(id), query);
  }

  @Get('deviceCounts')
  @Operation('instanceOrg.deviceCounts', USAGE.deviceCounts)
  deviceCounts(@Param('orgId') id: string, @Query() query: UsageQuery): Promise<Steps> {
    return this.usage.deviceCounts(ofOwner(id), query);
  }

  @Get('notebookMinuteCounts')
  @Operation('instanceOrg.notebookMinuteCounts', USAGE.notebookMinuteCounts)
  notebookMinuteCounts(@Param('orgId') id: string, @Query() query: UsageQuery): Steps {
    return this.usage.notebookMinuteCounts(ofOwner(id), query);
  }
}
