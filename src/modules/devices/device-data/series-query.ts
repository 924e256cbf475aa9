import { ValidationError } from '../../../lib/errors/errors.js';
import type { SortDirection } from '../../../platform/lists/list-query.js';
import { momentOf } from '../../../platform/lists/moments.js';
import type { DeviceSelection } from '../devices/device-selection.js';

const DAY_MS = 86_400_000;
/** One week at a resolution of one minute. */
export const MAX_STEPS = 10_080;

/** Aggregations that support only numbers. */
const NUMERIC_AGGREGATIONS = ['MAX', 'MIN', 'MEDIAN', 'MEAN', 'SUM', 'STD_DEV'] as const;
export const AGGREGATION_TYPES = ['FIRST', 'LAST', 'COUNT', ...NUMERIC_AGGREGATIONS, 'NONE'] as const;
export type AggregationType = (typeof AGGREGATION_TYPES)[number] | 'TIMEATVALUE';

/** Aggregation as specified in a request. */
export type RequestedAggregation =
  AggregationType | { type: AggregationType; options?: { value?: string | number | boolean } };

/** Body of a time series query, already validated against the schema. */
export interface TimeSeriesQuery extends DeviceSelection {
  start?: number;
  end?: number;
  duration?: number;
  resolution?: number;
  aggregation?: RequestedAggregation;
  attributes?: readonly string[];
  limit?: number;
  order?: SortDirection;
}

/** Time range from `start` (inclusive) to `end` (exclusive), in milliseconds since 1970. */
export interface Span {
  start: number;
  end: number;
}

/** Parsed time series query: time range, steps and aggregation. */
export interface SeriesQuery extends Span {
  type: AggregationType;
  /** Value to measure, for `TIMEATVALUE`. */
  value?: string | number | boolean;
  /**
   * Length of a step in milliseconds; `null` if the time range is not divided or points are returned unchanged. Steps
   * begin at multiples of it since 1970, so that each point belongs to the same step for any time range.
   */
  resolution: number | null;
  /** Maximum number of points per device. */
  limit: number | null;
  order: SortDirection;
}

/** Parses a query; throws a 400 error if the time range is empty or has too many steps. */
export function readSeriesQuery(query: TimeSeriesQuery, now = Date.now()): SeriesQuery {
  const end = momentOf('query.end', query.end ?? 0, now).getTime();
  const start =
    query.start === undefined
      ? Math.max(Math.floor(end - (query.duration ?? DAY_MS)), 0)
      : momentOf('query.start', query.start, now).getTime();
  if (start >= end) throw new ValidationError('query.end must be later than query.start');
  const { type, value } = aggregationOf(query);
  const resolution = type === 'NONE' ? null : (query.resolution ?? null);
  if (resolution !== null && stepsOf({ start, end }, resolution) > MAX_STEPS)
    throw new ValidationError(`query.resolution results in more than ${MAX_STEPS} steps`);
  return { start, end, type, value, resolution, limit: query.limit ?? null, order: query.order ?? 'asc' };
}

/** Returns the requested aggregation. Defaults to `MEAN` if a resolution is set, otherwise to `NONE`. */
export const requestedAggregation = ({ aggregation, resolution }: TimeSeriesQuery): RequestedAggregation =>
  aggregation ?? (resolution === undefined ? 'NONE' : 'MEAN');

/** Returns whether an aggregation supports a data type. */
export const supportsType = (type: AggregationType, dataType: string): boolean =>
  dataType === 'number' || !(NUMERIC_AGGREGATIONS as readonly string[]).includes(type);

/** Returns the number of steps that overlap the time range. */
const stepsOf = ({ start, end }: Span, resolution: number): number =>
  Math.floor((end - 1) / resolution) - Math.floor(start / resolution) + 1;

function aggregationOf(query: TimeSeriesQuery): Pick<SeriesQuery, 'type' | 'value'> {
  const asked = requestedAggregation(query);
  return typeof asked === 'string' ? { type: asked } : { type: asked.type, value: asked.options?.value };
}
