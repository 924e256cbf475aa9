import {
  listQuery,
  QueryBoolean,
  QueryChoice,
  QueryId,
  QueryMoment,
  QueryText,
} from '../../../platform/lists/query-fields.js';
import { APPLICATION_LIST, ORG_ID } from '../../applications/applications/applications.query.js';
import { DAY_MS, HOUR_MS } from './usage-window.js';

const AS_BYTES = { description: 'Whether to return sizes in bytes instead of counts.', default: false };

const ALL_PAYLOADS = {
  description: 'Whether to include payloads that are not billed.',
  default: false,
};

/** Time range of the counts. */
export class UsageQuery {
  @QueryMoment({
    description: 'Start of the time range, inclusive. Defaults to the start of the current month, in UTC.',
  })
  start?: Date;

  @QueryMoment({ description: 'End of the time range, exclusive.', default: 0 })
  end: Date;
}

export class PayloadsQuery extends UsageQuery {
  @QueryBoolean(AS_BYTES)
  asBytes: boolean;
}

/** Time range of the counts; defaults to the last 30 days. */
export class RecentUsageQuery {
  @QueryMoment({ description: 'Start of the time range, inclusive.', default: -30 * DAY_MS })
  start: Date;

  @QueryMoment({ description: 'End of the time range, exclusive.', default: 0 })
  end: Date;
}

export class RecentPayloadsQuery extends RecentUsageQuery {
  @QueryBoolean(AS_BYTES)
  asBytes: boolean;
}

const RESOLUTION = {
  title: 'PayloadResolution',
  description: 'Length of a step in milliseconds: a day or an hour.',
  default: String(DAY_MS),
};
const RESOLUTIONS = [String(DAY_MS), String(HOUR_MS)];

export class DevicePayloadsBreakdownQuery extends RecentUsageQuery {
  @QueryChoice(RESOLUTIONS, RESOLUTION)
  resolution: string;
}

export class PayloadsBreakdownQuery extends PayloadsQuery {
  @QueryChoice(RESOLUTIONS, RESOLUTION)
  resolution: string;

  @QueryBoolean(ALL_PAYLOADS)
  includeNonBillable: boolean;
}

export class PeriodSummariesQuery extends listQuery(APPLICATION_LIST, PayloadsQuery) {
  @QueryBoolean(ALL_PAYLOADS)
  includeNonBillable: boolean;

  @QueryId(ORG_ID)
  orgId?: string;

  @QueryText({
    description: 'Comma-separated counts to return for each application. Defaults to all counts.',
    example: 'payloadCounts,deviceCounts',
  })
  include?: string;

  @QueryText({
    description: 'Comma-separated counts to omit.',
    example: 'notebookMinuteCounts',
  })
  exclude?: string;
}

export class HistoricalSummariesQuery extends listQuery({
  sort: ['resourceId', 'currentPeriodStart'],
  defaultSort: 'currentPeriodStart',
  defaultDirection: 'asc',
  perPage: 100,
  filter: ['resourceType', 'resourceId', 'ownerId', 'ownerType'],
}) {
  @QueryText({
    description:
      'Month of the summaries: `now`, a month such as `2026-11`, or a time within the month, in UTC.',
    default: 'now',
    maxLength: 32,
    example: '2026-11',
  })
  month: string;
}
