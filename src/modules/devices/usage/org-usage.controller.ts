import { Controller, Get, Param, Query } from '@nestjs/common';
import { ORGANIZATION_READ } from '../../../platform/access/scopes.js';
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

const OF = ['an organization', 'Counts cover all applications of the organization.'] as const;

@Controller('orgs/:orgId')
export class OrgUsageController {
  constructor(private readonly usage: UsageService) {}

  @Get('payloadCounts')
  @Operation('org.payloadCounts', {
    ...payloadCounts(...OF, OWNED),
    scopes: ORGANIZATION_READ,
    role: 'view',
    missing: 'organization',
  })
  payloadCounts(@Param('orgId') id: string, @Query() query: PayloadsQuery): Promise<object> {
    return this.usage.payloadCounts(ofOwner(id), query);
  }

  @Get('payloadCountsBreakdown')
  @Operation('org.payloadCountsBreakdown', {
    ...payloadCountsBreakdown(...OF, OWNED),
    scopes: ORGANIZATION_READ,
    role: 'view',
    missing: 'organization',
  })
  payloadCountsBreakdown(@Param('orgId') id: string, @Query() query: PayloadsBreakdownQuery): Promise<Steps> {
    return this.usage.payloadCountsBreakdown(ofOwner(id), query);
  }

  @Get('deviceCounts')
  @Operation('org.deviceCounts', {
    ...deviceCounts(...OF),
    scopes: ORGANIZATION_READ,
    role: 'view',
    missing: 'organization',
  })
  deviceCounts(@Param('orgId') id: string, @Query() query: UsageQuery): Promise<Steps> {
    return this.usage.deviceCounts(ofOwner(id), query);
  }

  @Get('notebookMinuteCounts')
  @Operation('org.notebookMinuteCounts', {
    ...notebookMinuteCounts(...OF),
    scopes: ORGANIZATION_READ,
    role: 'view',
    missing: 'organization',
  })
  notebookMinuteCounts(@Param('orgId') id: string, @Query() query: UsageQuery): Steps {
    return this.usage.notebookMinuteCounts(ofOwner(id), query);
  }
}
