import { Injectable } from '@nestjs/common';
import { notYet } from '../../../platform/not-yet.js';
import { NONBILLABLE_PAYLOADS } from '../../../platform/payloads/payload-types.js';
import {
  stepStarts,
  DAY_MS,
  HOUR_MS,
  partsOf,
  stepsOf,
  type RequestedSpan,
  type Span,
} from './usage-window.js';
import type { PayloadsBreakdownQuery, PayloadsQuery, UsageQuery } from './usage.query.js';
import {
  UsageRepository,
  type DailyChange,
  type PayloadStep,
  type UsageSubject,
} from './usage.repository.js';

/** Steps of a time range with the counts of each step. */
export interface Steps extends Span {
  counts: object[];
}

const NO_RUNS = notYet('notebooks', { minutes: 0, completed: 0, canceled: 0, errored: 0, timeout: 0 });

export const ofApplication = (id: string): UsageSubject => ({ kind: 'application', ids: [id] });
/** Returns the selection of a user or an organization. */
export const ofOwner = (id: string): UsageSubject => ({ kind: 'owner', ids: [id] });
export const ofInstance = (id: string): UsageSubject => ({ kind: 'instance', ids: [id] });

/** Provides the usage of applications, owners and instances. */
@Injectable()
export class UsageService {
  constructor(private readonly usage: UsageRepository) {}

  /** Returns payload counts of a time range by type and channel. */
  async payloadCounts(of: UsageSubject, { asBytes, ...asked }: PayloadsQuery): Promise<object> {
    const { span, parts } = partsOf(asked);
    const types: Record<string, Record<string, number>> = {};
    for (const { type, channel, n, bytes } of await this.usage.payloads(of, span, parts))
      (types[type] ??= {})[channel] = asBytes ? bytes : n;
    return types;
  }

  /** Returns payload counts in steps. */
  async payloadCountsBreakdown(of: UsageSubject, query: PayloadsBreakdownQuery): Promise<Steps> {
    const [steps] = await this.payloadSteps(of, query, query);
    return steps!;
  }

  /** Returns device counts by day. */
  async deviceCounts(of: UsageSubject, asked: UsageQuery): Promise<Steps> {
    const [days] = await this.deviceDays(of, asked);
    return days!;
  }

  /** Returns notebook runs by day; all counts are zero. */
  notebookMinuteCounts({ ids }: UsageSubject, asked: RequestedSpan): Steps {
    const [days] = this.notebookDays(ids, asked);
    return days!;
  }

  /** Returns the notebook runs of each requested resource. */
  notebookDays(ids: readonly string[], asked: RequestedSpan): Steps[] {
    const span = stepsOf(asked, DAY_MS);
    const counts = stepStarts(span, DAY_MS).map((date) => ({ date, ...NO_RUNS }));
    return ids.map(() => ({ ...span, counts }));
  }

  /** Returns payload counts in steps, for each requested resource. */
  async payloadSteps(
    of: UsageSubject,
    asked: RequestedSpan,
    { asBytes, includeNonBillable, resolution }: PayloadStepOptions,
  ): Promise<Steps[]> {
    const length = Number(resolution);
    const span = stepsOf(asked, length);
    const except = includeNonBillable ? [] : NONBILLABLE_PAYLOADS;
    const counted = await this.usage.payloadSteps(of, span, length === HOUR_MS ? 1 : 24, except);
    return of.ids.map((id) => payloadStepsOf(ofHolder(counted, id), span, length, asBytes));
  }

  /** Returns device counts by day, for each requested resource. */
  async deviceDays(of: UsageSubject, asked: RequestedSpan): Promise<Steps[]> {
    const span = stepsOf(asked, DAY_MS);
    const changes = await this.usage.deviceDays(of, span);
    return of.ids.map((id) => daysOf(ofHolder(changes, id), span));
  }
}

/** Options for payload counts in steps. */
export type PayloadStepOptions = Pick<
  PayloadsBreakdownQuery,
  'asBytes' | 'includeNonBillable' | 'resolution'
>;

/** Returns all steps, including those without payloads. */
export function payloadStepsOf(
  counted: readonly PayloadStep[],
  span: Span,
  length: number,
  asBytes: boolean,
): Steps {
  const values = new Map(counted.map(({ start, n, bytes }) => [start.getTime(), asBytes ? bytes : n]));
  const dates = stepStarts(span, length);
  return { ...span, counts: dates.map((date) => ({ date, value: values.get(date.getTime()) ?? 0 })) };
}

/** Returns all days, each with the devices created, deleted, and present at its end. */
function daysOf(changes: readonly DailyChange[], span: Span): Steps {
  const days = new Map(stepStarts(span, DAY_MS).map((date) => [date.getTime(), { created: 0, deleted: 0 }]));
  let total = 0;
  for (const { day, added, removed } of changes) {
    const found = day && days.get(day.getTime());
    if (found) {
      found.created += added;
      found.deleted += removed;
    } else total += added - removed;
  }
  const counts = [...days].map(([time, { created, deleted }]) => {
    total += created - deleted;
    return { date: new Date(time), created, deleted, total };
  });
  return { ...span, counts };
}

const ofHolder = <T extends { holderId: string }>(rows: readonly T[], id: string): T[] =>
  rows.filter(({ holderId }) => holderId === id);
