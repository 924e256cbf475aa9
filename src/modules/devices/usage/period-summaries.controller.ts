import { Controller, Get, Query } from '@nestjs/common';
import type { Principal } from '../../../platform/access/principal.js';
import { Caller } from '../../../platform/access/request.js';
import { USER_OR_ORGANIZATION_READ } from '../../../platform/access/scopes.js';
import type { Page } from '../../../platform/lists/page.js';
import { Operation } from '../../../platform/operations/operation.js';
import { PeriodSummariesService } from './period-summaries.service.js';
import { PeriodSummaries, type PeriodSummary } from './period-summary.resource.js';
import { PeriodSummariesQuery } from './usage.query.js';

@Controller('applications/periodSummaries')
export class PeriodSummariesController {
  constructor(private readonly summaries: PeriodSummariesService) {}

  @Get()
  @Operation('applications.periodSummaries', {
    summary: 'Returns what applications used, day by day',
    description:
      'Of the applications that you see, as the list has them. Each has every day, by UTC, that the time touches, at most 400 days back; items a page times days are 40,000 at most.',
    scopes: USER_OR_ORGANIZATION_READ,
    returns: { 200: PeriodSummaries },
  })
  list(@Caller() caller: Principal, @Query() query: PeriodSummariesQuery): Promise<Page<PeriodSummary>> {
    return this.summaries.list(caller, query);
  }
}
