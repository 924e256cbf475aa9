import { ValidationError } from '../../../lib/errors/errors.js';
import type { SortDirection } from '../../../platform/lists/list-query.js';
import { momentOf } from '../../../platform/lists/moments.js';
import type { DeviceSelection } from '../devices/device-selection.js';

const DAY_MS = 86_400_000;
/** A week by the minute. */
export const MOST_STEPS = 10_080;

/** What becomes of numbers alone. */
const OF_NUMBERS = ['MAX', 'MIN', 'MEDIAN', 'MEAN', 'SUM', 'STD_DEV'] as const;
export const AGGREGATION_TYPES = ['FIRST', 'LAST', 'COUNT', ...OF_NUMBERS, 'NONE'] as const;
export type AggregationType = (typeof AGGREGATION_TYPES)[number] | 'TIMEATVALUE';

/** An aggregation as callers ask for it. */
export type AskedAggregation =
  AggregationType | { type: AggregationType; options?: { value?: string | number | boolean } };

/** The body of a time series query, which the document has checked. */
export interface TimeSeriesQuery extends DeviceSelection {
  start?: number;
  end?: number;
  duration?: number;
  resolution?: number;
  aggregation?: AskedAggregation;
  attributes?: readonly string[];
  limit?: number;
  order?: SortDirection;
}

/** A time from `start`, up to `end` and without it, in milliseconds since 1970. */
export interface Span {
  start: number;
  end: number;
}

/** What a series is made of: points of a time, whole or in steps, and what becomes of those in one step. */
export interface SeriesQuery extends Span {
  type: AggregationType;
  /** Of `TIMEATVALUE`: the value. */
  value?: string | number | boolean;
  /**
   * The length of a step in milliseconds. Steps begin at multiples of it since 1970, so that each point is in one step, the same
   * whatever time is asked for; `null` where the time is not cut, or points are answered as they are.
   */
  resolution: number | null;
  /** How many points there are of a device at most. */
  limit: number | null;
  order: SortDirection;
}

/** What a query asks for; 400 where the time is empty, or cut into too many steps. */
export function readSeriesQuery(query: TimeSeriesQuery, now = Date.now()): SeriesQuery {
  const end = momentOf('query.end', query.end ?? 0, now).getTime();
  const start =
    query.start === undefined
      ? Math.max(Math.floor(end - (query.duration ?? DAY_MS)), 0)
      : momentOf('query.start', query.start, now).getTime();
  if (start >= end) throw new ValidationError('query.end must be later than query.start');
  const { type, value } = aggregationOf(query);
  const resolution = type === 'NONE' ? null : (query.resolution ?? null);
  if (resolution !== null && stepsOf({ start, end }, resolution) > MOST_STEPS)
    throw new ValidationError(`query.resolution makes more than ${MOST_STEPS} steps`);
  return { start, end, type, value, resolution, limit: query.limit ?? null, order: query.order ?? 'asc' };
}

/** The aggregation as it was asked for; absent, means of steps, or points as they are where there are none. */
export const askedAggregation = ({ aggregation, resolution }: TimeSeriesQuery): AskedAggregation =>
  aggregation ?? (resolution === undefined ? 'NONE' : 'MEAN');

/** Whether an aggregation can be made of values of a data type. */
export const suits = (type: AggregationType, dataType: string): boolean =>
  dataType === 'number' || !(OF_NUMBERS as readonly string[]).includes(type);

/** How many steps have a part of the time. */
const stepsOf = ({ start, end }: Span, resolution: number): number =>
  Math.floor((end - 1) / resolution) - Math.floor(start / resolution) + 1;

function aggregationOf(query: TimeSeriesQuery): Pick<SeriesQuery, 'type' | 'value'> {
  const asked = askedAggregation(query);
  return typeof asked === 'string' ? { type: asked } : { type: asked.type, value: asked.options?.value };
}
