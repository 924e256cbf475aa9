import { QueryInteger, QueryMoment, QuerySortDirection, QueryTime } from './query-fields.js';
import type { SortDirection } from './list-query.js';

const MAX_LIMIT = 1_000;
const MAX_RANGE_MS = 366 * 86_400_000;

/** Query parameters of a history. */
export class HistoryQuery {
  @QueryInteger({
    description: 'Maximum number of entries to return.',
    minimum: 1,
    maximum: MAX_LIMIT,
    default: 1,
  })
  limit: number;

  @QueryTime({
    description: 'Returns only entries after this time, in milliseconds since 1970.',
    example: 1_795_243_305_122,
  })
  since?: Date;

  @QuerySortDirection({ description: 'Sort direction of the times of the entries.', default: 'desc' })
  sortDirection: SortDirection;

  @QueryInteger({
    description:
      'Length of the time range that ends at `end`, in milliseconds. Ignored if 0 or if `start` is given.',
    minimum: 0,
    maximum: MAX_RANGE_MS,
    default: 0,
  })
  duration: number;

  @QueryMoment({ description: 'Returns only entries at or after this time.', example: 1_795_243_305_122 })
  start?: Date;

  @QueryMoment({ description: 'Returns only entries at or before this time.', example: 1_795_246_905_122 })
  end?: Date;
}

/** Time range for SQL: after `since`, from `start` on, up to `end`. */
export type HistoryBounds = readonly [since: Date | string, start: Date | string, end: Date | string];

/** Returns the time range that a query requests. */
export function boundsOf({ since, duration, start, end }: HistoryQuery, now = Date.now()): HistoryBounds {
  const last = duration > 0 ? new Date((end?.getTime() ?? now) - duration) : undefined;
  return [since ?? '-infinity', start ?? last ?? '-infinity', end ?? 'infinity'];
}
