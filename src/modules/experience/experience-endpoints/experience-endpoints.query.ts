import { MAX_TIME } from '../../../platform/lists/list-query.js';
import {
  listQuery,
  QueryBoolean,
  QueryChoice,
  QueryId,
  QueryInteger,
  QueryText,
} from '../../../platform/lists/query-fields.js';
import { MAX_WINDOW_MS, MAX_POINTS, MAX_STEPS } from './request-window.js';

const HOUR_MS = 3_600_000;
const VERSION = {
  description: 'Name or ID of a version of the experience.',
  default: 'develop',
  maxLength: 255,
};

export class ExperienceEndpointsQuery extends listQuery({
  sort: ['order', 'method', 'route', 'id', 'creationDate', 'requestCount', 'lastUpdated'],
  defaultSort: 'order',
  defaultDirection: 'asc',
  filter: ['method', 'route'],
}) {
  @QueryId({ description: 'Returns only endpoints that users can access as members of this group.' })
  experienceGroupId?: string;

  @QueryInteger({
    description:
      'Length of the period, ending now, in which requests are counted, in milliseconds. Rounded up to minutes, or to hours if longer than a day. Defaults to one day if the list is sorted by requests.',
    minimum: 1,
    maximum: MAX_WINDOW_MS,
    example: HOUR_MS,
  })
  requestCountDuration?: number;

  @QueryText(VERSION)
  version: string;
}

export class ExperienceEndpointQuery {
  @QueryText(VERSION)
  version: string;
}

export class EndpointDeleteQuery {
  @QueryBoolean({
    description: 'Whether to delete the workflows triggered by the endpoint.',
    default: false,
  })
  includeWorkflows: boolean;
}

/** Properties by which requests are grouped. */
export const STAT_GROUPINGS = ['statusCode', 'endpointId', 'version', 'domain'] as const;

export class EndpointStatsQuery {
  @QueryChoice(STAT_GROUPINGS, {
    description: 'Property by which requests are grouped.',
    default: 'statusCode',
  })
  statGrouping: (typeof STAT_GROUPINGS)[number];

  @QueryInteger({
    description: 'Length of the period in milliseconds.',
    minimum: 1,
    maximum: MAX_WINDOW_MS,
    default: 24 * HOUR_MS,
  })
  duration: number;

  @QueryInteger({
    description: 'End of the period in milliseconds since 1970; 0 means now.',
    minimum: 0,
    maximum: MAX_TIME,
    default: 0,
  })
  end: number;

  @QueryInteger({
    description: `Length of a step in milliseconds: whole minutes, or whole hours if \`duration\` is more than a day. The response is limited to ${MAX_STEPS} steps and ${MAX_POINTS} counts in total.`,
    minimum: 60_000,
    maximum: MAX_WINDOW_MS,
    default: HOUR_MS,
  })
  resolution: number;

  @QueryText({
    description: 'Counts only requests to the version with this name.',
    example: 'v1.4.0',
    maxLength: 255,
  })
  versionFilter?: string;

  @QueryText({
    description: 'Counts only requests to this domain or slug.',
    example: 'pumps.example.com',
    maxLength: 255,
  })
  domainFilter?: string;

  @QueryInteger({
    description: 'Counts only requests with this response status.',
    minimum: 100,
    maximum: 599,
    example: 200,
  })
  statusCodeFilter?: number;

  @QueryId({ description: 'Counts only requests to this endpoint.' })
  endpointIdFilter?: string;
}
