import { QueryInteger, QueryMoment, QuerySortDirection, QueryTime } from './query-fields.js';
import type { SortDirection } from './list-query.js';

const MOST = 1_000;
const LONGEST_MS = 366 * 86_400_000;

/** Which entries of a history are answered. */
export class HistoryQuery {
  @QueryInteger({ description: 'At most so many entries.', minimum: 1, maximum: MOST, default: 1 })
  limit: number;

  @QueryTime({
    description: 'Only entries from after this time, in milliseconds since 1970.',
    example: 1_795_243_305_122,
  })
  since?: Date;

  @QuerySortDirection({ description: 'The order of their times.', default: 'desc' })
  sortDirection: SortDirection;

  @QueryInteger({
    description:
      'How long the time is that entries are from, up to `end`, in milliseconds; 0 is any, and so it is where there is a `start`.',
    minimum: 0,
    maximum: LONGEST_MS,
    default: 0,
  })
  duration: number;

  @QueryMoment({ description: 'Only entries from this time on.', example: 1_795_243_305_122 })
  start?: Date;

  @QueryMoment({ description: 'Only entries up to this time.', example: 1_795_246_905_122 })
  end?: Date;
}

/** A time as SQL takes it: after the first, from the second on, up to the third. */
export type HistoryBounds = readonly [since: Date | string, start: Date | string, end: Date | string];

/** The time that a query asks for. */
export function boundsOf({ since, duration, start, end }: HistoryQuery, now = Date.now()): HistoryBounds {
  const last = duration > 0 ? new Date((end?.getTime() ?? now) - duration) : undefined;
  return [since ?? '-infinity', start ?? last ?? '-infinity', end ?? 'infinity'];
}
