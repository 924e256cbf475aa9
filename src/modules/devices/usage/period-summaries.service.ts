import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../platform/access/principal.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { parseNames } from '../../../platform/lists/list-query.js';
import type { Page } from '../../../platform/lists/page.js';
import { ApplicationsRepository } from '../../applications/applications/applications.repository.js';
import { PERIOD_COUNTS, type PeriodCount, type PeriodSummary } from './period-summary.resource.js';
import { stepStarts, DAY_MS, stepsOf } from './usage-window.js';
import type { PeriodSummariesQuery } from './usage.query.js';
import { UsageService, type Steps } from './usage.service.js';

/** Maximum number of days of all applications of a page, which limits a response to a few megabytes. */
const MAX_DAYS = 40_000;
const NO_SUMMARY: readonly string[] = [];

/** Provides the usage of the applications that a caller can access within a time range. */
@Injectable()
export class PeriodSummariesService {
  constructor(
    private readonly applications: ApplicationsRepository,
    private readonly usage: UsageService,
  ) {}

  /** Returns a page of summaries, with three statements for any number of applications. */
  async list(caller: Principal, query: PeriodSummariesQuery): Promise<Page<PeriodSummary>> {
    const { start, end, asBytes, includeNonBillable, list, orgId } = query;
    const chosen = chosenOf(query);
    const days = stepStarts(stepsOf({ start, end }, DAY_MS), DAY_MS).length;
    if (days * list.perPage > MAX_DAYS)
      throw new ValidationError(
        `perPage multiplied by the ${days} days of the time range must be at most ${MAX_DAYS}`,
      );
    const { userId } = caller;
    const ownerId = orgId === '' ? userId : orgId;
    const { items, envelope } = await this.applications.page(caller, list, NO_SUMMARY, ownerId);
    const ids = items.map((item) => item.text('id')!);
    const of = { kind: 'application', ids } as const;
    const counted: Record<PeriodCount, () => Promise<readonly Steps[]>> = {
      payloadCounts: () =>
        this.usage.payloadSteps(
          of,
          { start, end },
          { asBytes, includeNonBillable, resolution: String(DAY_MS) },
        ),
      deviceCounts: () => this.usage.deviceDays(of, { start, end }),
      notebookMinuteCounts: async () => this.usage.notebookDays(ids, { start, end }),
    };
    const columns = await Promise.all(chosen.map(async (name) => [name, await counted[name]()] as const));
    const summaries = items.map((item, i) => ({
      id: ids[i]!,
      applicationId: ids[i]!,
      name: item.text('name')!,
      summary: Object.fromEntries(columns.map(([name, steps]) => [name, steps[i]!])),
    }));
    return { ...(envelope as unknown as Page<PeriodSummary>), items: summaries, count: items.length };
  }
}

function chosenOf({ include, exclude }: PeriodSummariesQuery): PeriodCount[] {
  const included = namesOf('include', include);
  const excluded = new Set(namesOf('exclude', exclude));
  return (included.length ? included : PERIOD_COUNTS).filter((name) => !excluded.has(name));
}

function namesOf(parameter: string, value: string | undefined): PeriodCount[] {
  return [...new Set(parseNames(parameter, value))].map((name) => {
    const known = PERIOD_COUNTS.find((count) => count === name);
    if (!known) throw new ValidationError(`${parameter} must be one or more of ${PERIOD_COUNTS.join(', ')}`);
    return known;
  });
}
