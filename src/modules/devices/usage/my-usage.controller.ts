import { Controller, Get, Query } from '@nestjs/common';
import type { Principal } from '../../../platform/access/principal.js';
import { Caller } from '../../../platform/access/request.js';
import { USER_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import { ATTRIBUTION_NOTE, usageOperations } from './usage.operations.js';
import { PayloadsBreakdownQuery, PayloadsQuery, UsageQuery } from './usage.query.js';
import { ofOwner, UsageService, type Steps } from './usage.service.js';

const USAGE = usageOperations({
  of: 'your sandbox',
  owned: ATTRIBUTION_NOTE,
  scopes: USER_READ,
});

@Controller('me')
export class MyUsageController {
  constructor(private readonly usage: UsageService) {}

  @Get('payloadCounts')
  @Operation('me.payloadCounts', USAGE.payloadCounts)
  payloadCounts(@Caller() { userId }: Principal, @Query() query: PayloadsQuery): Promise<object> {
    return this.usage.payloadCounts(ofOwner(userId), query);
  }

  @Get('payloadCountsBreakdown')
  @Operation('me.payloadCountsBreakdown', USAGE.payloadCountsBreakdown)
  payloadCountsBreakdown(
    @Caller() { userId }: Principal,
    @Query() query: PayloadsBreakdownQuery,
  ): Promise<Steps> {
    return this.usage.payloadCountsBreakdown(ofOwner(userId), query);
  }

  @Get('deviceCounts')
  @Operation('me.deviceCounts', USAGE.deviceCounts)
  deviceCounts(@Caller() { userId }: Principal, @Query() query: UsageQuery): Promise<Steps> {
    return this.usage.deviceCounts(ofOwner(userId), query);
  }

  @Get('notebookMinuteCounts')
  @Operation('me.notebookMinuteCounts', USAGE.notebookMinuteCounts)
  notebookMinuteCounts(@Caller() { userId }: Principal, @Query() query: UsageQuery): Steps {
    return this.usage.notebookMinuteCounts(ofOwner(userId), query);
  }
}
