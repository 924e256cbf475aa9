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

const AS_BYTES = { description: 'Whether sizes in bytes are answered, in place of numbers.', default: false };

const ALL_PAYLOADS = {
  description: 'Whether payloads that are billed to nobody are counted too.',
  default: false,
};

/** The time that counts are of. */
export class UsageQuery {
  @QueryMoment({ description: 'When it begins; absent, with the current month, by UTC.' })
  start?: Date;

  @QueryMoment({ description: 'When it ends.', default: 0 })
  end: Date;
}

export class PayloadsQuery extends UsageQuery {
  @QueryBoolean(AS_BYTES)
  asBytes: boolean;
}

/** As `UsageQuery`, of the last 30 days where nothing else is asked for. */
export class RecentUsageQuery {
  @QueryMoment({ description: 'When it begins.', default: -30 * DAY_MS })
  start: Date;

  @QueryMoment({ description: 'When it ends.', default: 0 })
  end: Date;
}

export class RecentPayloadsQuery extends RecentUsageQuery {
  @QueryBoolean(AS_BYTES)
  asBytes: boolean;
}

const RESOLUTION = {
  description: 'How long a step is, in milliseconds: a day or an hour.',
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
    description: 'What to answer of each, separated by commas; absent, all.',
    example: 'payloadCounts,deviceCounts',
  })
  include?: string;

  @QueryText({
    description: 'What to leave out, separated by commas.',
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
    description: 'The month: `now`, one such as `2026-11`, or a time in it, by UTC.',
    default: 'now',
    maxLength: 32,
    example: '2026-11',
  })
  month: string;
}
