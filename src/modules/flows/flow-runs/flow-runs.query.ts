import { MAX_TIME, type SortDirection } from '../../../platform/lists/list-query.js';
import {
  QueryBoolean,
  QueryId,
  QueryInteger,
  QuerySortDirection,
  QueryText,
  QueryTime,
} from '../../../platform/lists/query-fields.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_WINDOW_MS = 366 * DAY_MS;
const MAX_LIMIT = 1_000;
const VERSION = {
  description: 'Name of the version, or `develop`. Defaults to the runs of all versions.',
  example: '1.4.0',
  maxLength: 255,
};
const DEVICE = { description: 'ID of a device. Returns only runs of this device.' };

/** Query parameters of a log. */
export class FlowLogQuery {
  @QueryInteger({
    description: 'Maximum number of runs, newest first.',
    minimum: 1,
    maximum: MAX_LIMIT,
    default: 1,
  })
  limit: number;

  @QueryTime({
    description: 'Returns only runs requested after this time, in milliseconds since 1970-01-01 UTC.',
    example: 1_795_243_305_122,
  })
  since?: Date;
}

/** Query parameters of a list of runs. */
export class FlowRunsQuery {
  @QueryInteger({
    description: 'Maximum number of runs, newest first.',
    minimum: 1,
    maximum: MAX_LIMIT,
    default: 25,
  })
  limit: number;

  @QueryTime({
    description: 'Returns only runs requested before this time, in milliseconds since 1970-01-01 UTC.',
    example: 1_795_243_305_122,
  })
  before?: Date;

  @QueryBoolean({ description: 'Whether to return only runs with errors.', default: false })
  failed: boolean;
}

class WindowQuery {
  @QueryInteger({
    description: 'Length of the time range, in milliseconds. Defaults to one day.',
    minimum: 1,
    maximum: MAX_WINDOW_MS,
    default: DAY_MS,
  })
  duration: number;

  @QueryInteger({
    description: 'End of the time range, in milliseconds since 1970-01-01 UTC. `0` means now.',
    minimum: 0,
    maximum: MAX_TIME,
    default: 0,
  })
  end: number;
}

/** Query parameters of run statistics. */
export class RunStatsQuery extends WindowQuery {
  @QueryInteger({
    description:
      'Length of a step, in milliseconds. The range can have up to 1,440 steps (the minutes of a day). Steps shorter than a minute require a range of at most an hour.',
    minimum: 1,
    maximum: MAX_WINDOW_MS,
    default: HOUR_MS,
  })
  resolution: number;
}

/** Query parameters of dropped runs. */
export class FlowRunsDroppedQuery extends RunStatsQuery {
  @QueryText(VERSION)
  flowVersion?: string;
}

/** Query parameters of the run statistics of a version. */
export class FlowVersionStatsQuery extends RunStatsQuery {
  @QueryId(DEVICE)
  deviceId?: string;
}

export class FlowStatsQuery extends FlowVersionStatsQuery {
  @QueryText(VERSION)
  flowVersion?: string;
}

/** Query parameters of errors. */
export class RunErrorsQuery extends WindowQuery {
  @QueryInteger({ description: 'Maximum number of errors.', minimum: 1, maximum: MAX_LIMIT, default: 25 })
  limit: number;

  @QuerySortDirection({ description: 'Sort order by time.', default: 'desc' })
  sortDirection: SortDirection;
}

/** Query parameters of the errors of a version. */
export class FlowVersionErrorsQuery extends RunErrorsQuery {
  @QueryId(DEVICE)
  deviceId?: string;
}

export class FlowErrorsQuery extends FlowVersionErrorsQuery {
  @QueryText(VERSION)
  flowVersion?: string;
}
