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
    summary: 'Lists daily usage of applications',
    description:
      'Returns the applications that the caller can access, sorted and filtered like the list of applications. Each contains every day (UTC) that overlaps the time range, up to 400 days back. `perPage` multiplied by the number of days must be at most 40,000.',
    scopes: USER_OR_ORGANIZATION_READ,
    returns: { 200: PeriodSummaries },
  })
  list(@Caller() caller: Principal, @Query() query: PeriodSummariesQuery): Promise<Page<PeriodSummary>> {
    return this.summaries.list(caller, query);
  }
}
