import { Controller, Get, Query } from '@nestjs/common';
import type { Principal } from '../../../platform/access/principal.js';
import { Caller } from '../../../platform/access/request.js';
import { USER_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import {
  deviceCounts,
  notebookMinuteCounts,
  OWNED,
  payloadCounts,
  payloadCountsBreakdown,
} from './usage.operations.js';
import { PayloadsBreakdownQuery, PayloadsQuery, UsageQuery } from './usage.query.js';
import { ofOwner, UsageService, type Steps } from './usage.service.js';

const OF = ['your sandbox', ''] as const;

@Controller('me')
export class MyUsageController {
  constructor(private readonly usage: UsageService) {}

  @Get('payloadCounts')
  @Operation('me.payloadCounts', {
    ...payloadCounts(...OF, OWNED),
    scopes: USER_READ,
  })
  payloadCounts(@Caller() { userId }: Principal, @Query() query: PayloadsQuery): Promise<object> {
    return this.usage.payloadCounts(ofOwner(userId), query);
  }

  @Get('payloadCountsBreakdown')
  @Operation('me.payloadCountsBreakdown', {
    ...payloadCountsBreakdown(...OF, OWNED),
    scopes: USER_READ,
  })
  payloadCountsBreakdown(
    @Caller() { userId }: Principal,
    @Query() query: PayloadsBreakdownQuery,
  ): Promise<Steps> {
    return this.usage.payloadCountsBreakdown(ofOwner(userId), query);
  }

  @Get('deviceCounts')
  @Operation('me.deviceCounts', {
    ...deviceCounts(...OF),
    scopes: USER_READ,
  })
  deviceCounts(@Caller() { userId }: Principal, @Query() query: UsageQuery): Promise<Steps> {
    return this.usage.deviceCounts(ofOwner(userId), query);
  }

  @Get('notebookMinuteCounts')
  @Operation('me.notebookMinuteCounts', {
    ...notebookMinuteCounts(...OF),
    scopes: USER_READ,
  })
  notebookMinuteCounts(@Caller() { userId }: Principal, @Query() query: UsageQuery): Steps {
    return this.usage.notebookMinuteCounts(ofOwner(userId), query);
  }
}
