import { Injectable } from '@nestjs/common';
import { NONBILLABLE_PAYLOADS } from '../../../platform/payloads/payload-types.js';
import {
  beginningsOf,
  DAY_MS,
  HOUR_MS,
  partsOf,
  stepsOf,
  type AskedSpan,
  type Span,
} from './usage-window.js';
import type { PayloadsBreakdownQuery, PayloadsQuery, UsageQuery } from './usage.query.js';
import { UsageRepository, type DailyChange, type PayloadStep, type UsageOf } from './usage.repository.js';

/** Steps of a time, each with what was counted in it. */
export interface Steps extends Span {
  counts: object[];
}

const NO_RUNS = { minutes: 0, completed: 0, canceled: 0, errored: 0, timeout: 0 };

export const ofApplication = (id: string): UsageOf => ({ kind: 'application', ids: [id] });
/** A user or an organization. */
export const ofOwner = (id: string): UsageOf => ({ kind: 'owner', ids: [id] });
export const ofInstance = (id: string): UsageOf => ({ kind: 'instance', ids: [id] });

/** What applications, owners and instances use. */
@Injectable()
export class UsageService {
  constructor(private readonly usage: UsageRepository) {}

  /** Payloads of a time, by type and then by channel. */
  async payloadCounts(of: UsageOf, { asBytes, ...asked }: PayloadsQuery): Promise<object> {
    const { span, parts } = partsOf(asked);
    const types: Record<string, Record<string, number>> = {};
    for (const { type, channel, n, bytes } of await this.usage.payloads(of, span, parts))
      (types[type] ??= {})[channel] = asBytes ? bytes : n;
    return types;
  }

  /** Payloads in steps of time. */
  async payloadCountsBreakdown(of: UsageOf, query: PayloadsBreakdownQuery): Promise<Steps> {
    const [steps] = await this.payloadSteps(of, query, query);
    return steps!;
  }

  /** Devices, day by day. */
  async deviceCounts(of: UsageOf, asked: UsageQuery): Promise<Steps> {
    const [days] = await this.deviceDays(of, asked);
    return days!;
  }

  /** Runs of notebooks, day by day: nothing runs notebooks yet. */
  notebookMinuteCounts({ ids }: UsageOf, asked: AskedSpan): Steps {
    const [days] = this.notebookDays(ids, asked);
    return days!;
  }

  /** The same of each of those whose use is asked for. */
  notebookDays(ids: readonly string[], asked: AskedSpan): Steps[] {
    const span = stepsOf(asked, DAY_MS);
    const counts = beginningsOf(span, DAY_MS).map((date) => ({ date, ...NO_RUNS }));
    return ids.map(() => ({ ...span, counts }));
  }

  /** Payloads in steps of time, of each of those whose use is asked for. */
  async payloadSteps(
    of: UsageOf,
    asked: AskedSpan,
    { asBytes, includeNonBillable, resolution }: PayloadStepOptions,
  ): Promise<Steps[]> {
    const length = Number(resolution);
    const span = stepsOf(asked, length);
    const except = includeNonBillable ? [] : NONBILLABLE_PAYLOADS;
    const counted = await this.usage.payloadSteps(of, span, length === HOUR_MS ? 1 : 24, except);
    return of.ids.map((id) => payloadStepsOf(ofHolder(counted, id), span, length, asBytes));
  }

  /** Devices by the day, of each of those whose use is asked for. */
  async deviceDays(of: UsageOf, asked: AskedSpan): Promise<Steps[]> {
    const span = stepsOf(asked, DAY_MS);
    const changes = await this.usage.deviceDays(of, span);
    return of.ids.map((id) => daysOf(ofHolder(changes, id), span));
  }
}

/** How payloads are counted in steps. */
export type PayloadStepOptions = Pick<
  PayloadsBreakdownQuery,
  'asBytes' | 'includeNonBillable' | 'resolution'
>;

/** Every step, those without payloads too. */
export function payloadStepsOf(
  counted: readonly PayloadStep[],
  span: Span,
  length: number,
  asBytes: boolean,
): Steps {
  const values = new Map(counted.map(({ start, n, bytes }) => [start.getTime(), asBytes ? bytes : n]));
  const dates = beginningsOf(span, length);
  return { ...span, counts: dates.map((date) => ({ date, value: values.get(date.getTime()) ?? 0 })) };
}

/** Every day, each with what came, went and was there at its end. */
function daysOf(changes: readonly DailyChange[], span: Span): Steps {
  const days = new Map(
    beginningsOf(span, DAY_MS).map((date) => [date.getTime(), { created: 0, deleted: 0 }]),
  );
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
