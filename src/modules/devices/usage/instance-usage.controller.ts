import { Controller, Get, Param, Query } from '@nestjs/common';
import { INSTANCE_READ } from '../../../platform/access/scopes.js';
import type { Page } from '../../../platform/lists/page.js';
import { Operation } from '../../../platform/operations/operation.js';
import { ATTRIBUTION_NOTE, usageOperations } from './usage.operations.js';
import { HistoricalSummaries, type HistoricalSummary } from './historical-summary.resource.js';
import { HistoricalSummariesService } from './historical-summaries.service.js';
import {
  HistoricalSummariesQuery,
  PayloadsBreakdownQuery,
  PayloadsQuery,
  UsageQuery,
} from './usage.query.js';
import { ofInstance, UsageService, type Steps } from './usage.service.js';

const USAGE = usageOperations({
  of: 'an instance',
  includes: 'Counts cover all applications in the instance.',
  owned: ATTRIBUTION_NOTE,
  scopes: INSTANCE_READ,
  role: 'view',
  missing: 'instance',
});

@Controller('instances/:instanceId')
export class InstanceUsageController {
  constructor(
    private readonly usage: UsageService,
    private readonly summaries: HistoricalSummariesService,
  ) {}

  @Get('historicalSummaries')
  @Operation('instance.historicalSummaries', {
    summary: 'Lists monthly usage summaries of an instance',
    description: `Returns summaries of the instance, its organizations and its applications. The current month is calculated on request from existing resources. Past months are stored for 400 days, for the resources that existed at the end of the month. Workers store a month in the hours after it ends. Resource counts are those of that time, while payloads and devices are exactly those of the month. ${ATTRIBUTION_NOTE}`,
    scopes: INSTANCE_READ,
    role: 'view',
    returns: { 200: HistoricalSummaries },
    missing: 'instance',
  })
  historicalSummaries(
    @Param('instanceId') id: string,
    @Query() query: HistoricalSummariesQuery,
  ): Promise<Page<HistoricalSummary>> {
    return this.summaries.list(id, query);
  }

  @Get('payloadCounts')
  @Operation('instance.payloadCounts', USAGE.payloadCounts)
  payloadCounts(@Param('instanceId') id: string, @Query() query: PayloadsQuery): Promise<object> {
    return this.usage.payloadCounts(ofInstance(id), query);
  }

  @Get('payloadCountsBreakdown')
  @Operation('instance.payloadCountsBreakdown', USAGE.payloadCountsBreakdown)
  payloadCountsBreakdown(
    @Param('instanceId') id: string,
    @Query() query: PayloadsBreakdownQuery,
  ): Promise<Steps> {
    return this.usage.payloadCountsBreakdown(ofInstance(id), query);
  }

  @Get('deviceCounts')
  @Operation('instance.deviceCounts', USAGE.deviceCounts)
  deviceCounts(@Param('instanceId') id: string, @Query() query: UsageQuery): Promise<Steps> {
    return this.usage.deviceCounts(ofInstance(id), query);
  }

  @Get('notebookMinuteCounts')
  @Operation('instance.notebookMinuteCounts', USAGE.notebookMinuteCounts)
  notebookMinuteCounts(@Param('instanceId') id: string, @Query() query: UsageQuery): Steps {
    return this.usage.notebookMinuteCounts(ofInstance(id), query);
  }
}
