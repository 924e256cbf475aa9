import { LATEST_TIME, type SortDirection } from '../../../platform/lists/list-query.js';
import {
  QueryId,
  QueryInteger,
  QuerySortDirection,
  QueryText,
  QueryTime,
} from '../../../platform/lists/query-fields.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LONGEST_MS = 366 * DAY_MS;
const MOST = 1_000;
const VERSION = {
  description: 'The name of a version, or `develop`; absent, runs of all versions.',
  example: '1.4.0',
  maxLength: 255,
};
const DEVICE = { description: 'Only runs that were about this device.' };

/** Which runs a log shows. */
export class FlowLogQuery {
  @QueryInteger({ description: 'At most so many runs, the newest.', minimum: 1, maximum: MOST, default: 1 })
  limit: number;

  @QueryTime({
    description: 'Only runs that were asked for after this time, in milliseconds since 1970.',
    example: 1_795_243_305_122,
  })
  since?: Date;
}

class WindowQuery {
  @QueryInteger({
    description: 'How long the time is that the answer is about, in milliseconds.',
    minimum: 1,
    maximum: LONGEST_MS,
    default: DAY_MS,
  })
  duration: number;

  @QueryInteger({
    description: 'When it ends, in milliseconds since 1970; 0 is now.',
    minimum: 0,
    maximum: LATEST_TIME,
    default: 0,
  })
  end: number;
}

/** The steps that runs are counted in. */
export class RunStatsQuery extends WindowQuery {
  @QueryInteger({
    description: `The length of a step, in milliseconds; there are at most ${MOST} steps, and steps of less than a minute are of an hour at most.`,
    minimum: 1,
    maximum: LONGEST_MS,
    default: HOUR_MS,
  })
  resolution: number;
}

/** The steps that runs of a version are counted in. */
export class FlowVersionStatsQuery extends RunStatsQuery {
  @QueryId(DEVICE)
  deviceId?: string;
}

export class FlowStatsQuery extends FlowVersionStatsQuery {
  @QueryText(VERSION)
  flowVersion?: string;
}

/** Which errors are answered. */
export class RunErrorsQuery extends WindowQuery {
  @QueryInteger({ description: 'At most so many errors.', minimum: 1, maximum: MOST, default: 25 })
  limit: number;

  @QuerySortDirection({ description: 'The order of their times.', default: 'desc' })
  sortDirection: SortDirection;
}

/** Which errors of a version are answered. */
export class FlowVersionErrorsQuery extends RunErrorsQuery {
  @QueryId(DEVICE)
  deviceId?: string;
}

export class FlowErrorsQuery extends FlowVersionErrorsQuery {
  @QueryText(VERSION)
  flowVersion?: string;
}
