import { Controller, Get, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import {
  deviceCounts,
  notebookMinuteCounts,
  payloadCounts,
  payloadCountsBreakdown,
} from './usage.operations.js';
import { PayloadsBreakdownQuery, RecentPayloadsQuery, UsageQuery } from './usage.query.js';
import { ofApplication, UsageService, type Steps } from './usage.service.js';

const OF = ['an application', 'Counts cover the whole application.'] as const;

@Controller('applications/:applicationId')
export class ApplicationUsageController {
  constructor(private readonly usage: UsageService) {}

  @Get('payloadCounts')
  @Operation('application.payloadCounts', {
    ...payloadCounts(...OF),
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    missing: 'application',
  })
  payloadCounts(
    @CurrentApplication() { id }: ApplicationAccess,
    @Query() query: RecentPayloadsQuery,
  ): Promise<object> {
    return this.usage.payloadCounts(ofApplication(id), query);
  }

  @Get('payloadCountsBreakdown')
  @Operation('application.payloadCountsBreakdown', {
    ...payloadCountsBreakdown(...OF),
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    missing: 'application',
  })
  payloadCountsBreakdown(
    @CurrentApplication() { id }: ApplicationAccess,
    @Query() query: PayloadsBreakdownQuery,
  ): Promise<Steps> {
    return this.usage.payloadCountsBreakdown(ofApplication(id), query);
  }

  @Get('deviceCounts')
  @Operation('application.deviceCounts', {
    ...deviceCounts(...OF),
    scopes: APPLICATION_READ,
    role: 'view',
    missing: 'application',
  })
  deviceCounts(@CurrentApplication() { id }: ApplicationAccess, @Query() query: UsageQuery): Promise<Steps> {
    return this.usage.deviceCounts(ofApplication(id), query);
  }

  @Get('notebookMinuteCounts')
  @Operation('application.notebookMinuteCounts', {
    ...notebookMinuteCounts(...OF),
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    missing: 'application',
  })
  notebookMinuteCounts(@CurrentApplication() { id }: ApplicationAccess, @Query() query: UsageQuery): Steps {
    return this.usage.notebookMinuteCounts(ofApplication(id), query);
  }
}
