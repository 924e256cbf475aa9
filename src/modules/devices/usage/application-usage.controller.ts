import { Controller, Get, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import { usageOperations } from './usage.operations.js';
import { PayloadsBreakdownQuery, RecentPayloadsQuery, UsageQuery } from './usage.query.js';
import { ofApplication, UsageService, type Steps } from './usage.service.js';

const USAGE = usageOperations({
  of: 'an application',
  includes: 'Counts cover the whole application.',
  scopes: APPLICATION_CHILDREN_READ,
  role: 'view',
  missing: 'application',
});

@Controller('applications/:applicationId')
export class ApplicationUsageController {
  constructor(private readonly usage: UsageService) {}

  @Get('payloadCounts')
  @Operation('application.payloadCounts', USAGE.payloadCounts)
  payloadCounts(
    @CurrentApplication() { id }: ApplicationAccess,
    @Query() query: RecentPayloadsQuery,
  ): Promise<object> {
    return this.usage.payloadCounts(ofApplication(id), query);
  }

  @Get('payloadCountsBreakdown')
  @Operation('application.payloadCountsBreakdown', USAGE.payloadCountsBreakdown)
  payloadCountsBreakdown(
    @CurrentApplication() { id }: ApplicationAccess,
    @Query() query: PayloadsBreakdownQuery,
  ): Promise<Steps> {
    return this.usage.payloadCountsBreakdown(ofApplication(id), query);
  }

  @Get('deviceCounts')
  @Operation('application.deviceCounts', { ...USAGE.deviceCounts, scopes: APPLICATION_READ })
  deviceCounts(@CurrentApplication() { id }: ApplicationAccess, @Query() query: UsageQuery): Promise<Steps> {
    return this.usage.deviceCounts(ofApplication(id), query);
  }

  @Get('notebookMinuteCounts')
  @Operation('application.notebookMinuteCounts', USAGE.notebookMinuteCounts)
  notebookMinuteCounts(@CurrentApplication() { id }: ApplicationAccess, @Query() query: UsageQuery): Steps {
    return this.usage.notebookMinuteCounts(ofApplication(id), query);
  }
}
