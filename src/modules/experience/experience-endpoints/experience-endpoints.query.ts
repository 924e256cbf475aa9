import { LATEST_TIME } from '../../../platform/lists/list-query.js';
import {
  listQuery,
  QueryBoolean,
  QueryChoice,
  QueryId,
  QueryInteger,
  QueryText,
} from '../../../platform/lists/query-fields.js';
import { LONGEST_MS, MOST_POINTS, MOST_STEPS } from './request-window.js';

const HOUR_MS = 3_600_000;
const VERSION = {
  description: 'The name or the id of a version of the experience.',
  default: 'develop',
  maxLength: 255,
};

export class ExperienceEndpointsQuery extends listQuery({
  sort: ['order', 'method', 'route', 'id', 'creationDate', 'requestCount', 'lastUpdated'],
  defaultSort: 'order',
  defaultDirection: 'asc',
  filter: ['method', 'route'],
}) {
  @QueryId({ description: 'Only endpoints that the users of this group may ask by their membership.' })
  experienceGroupId?: string;

  @QueryInteger({
    description:
      'For how long until now requests are counted, in milliseconds, rounded up to minutes, or hours where it is more than a day; absent, a day where the list is sorted by them.',
    minimum: 1,
    maximum: LONGEST_MS,
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
    description: 'Whether the workflows that it triggers are deleted with it.',
    default: false,
  })
  includeWorkflows: boolean;
}

/** By what requests are counted. */
export const STAT_GROUPINGS = ['statusCode', 'endpointId', 'version', 'domain'] as const;

export class EndpointStatsQuery {
  @QueryChoice(STAT_GROUPINGS, { description: 'By what requests are counted.', default: 'statusCode' })
  statGrouping: (typeof STAT_GROUPINGS)[number];

  @QueryInteger({
    description: 'How long the time is that the answer is about, in milliseconds.',
    minimum: 1,
    maximum: LONGEST_MS,
    default: 24 * HOUR_MS,
  })
  duration: number;

  @QueryInteger({
    description: 'When it ends, in milliseconds since 1970; 0 is now.',
    minimum: 0,
    maximum: LATEST_TIME,
    default: 0,
  })
  end: number;

  @QueryInteger({
    description: `The length of a step, in milliseconds: whole minutes, or whole hours where \`duration\` is more than a day. There are at most ${MOST_STEPS} steps, and ${MOST_POINTS} counts in all.`,
    minimum: 60_000,
    maximum: LONGEST_MS,
    default: HOUR_MS,
  })
  resolution: number;

  @QueryText({
    description: 'Only requests to this version, by its name.',
    example: 'v1.4.0',
    maxLength: 255,
  })
  versionFilter?: string;

  @QueryText({
    description: 'Only requests to this domain or slug.',
    example: 'pumps.example.com',
    maxLength: 255,
  })
  domainFilter?: string;

  @QueryInteger({
    description: 'Only requests that were answered with this status.',
    minimum: 100,
    maximum: 599,
    example: 200,
  })
  statusCodeFilter?: number;

  @QueryId({ description: 'Only requests to this endpoint.' })
  endpointIdFilter?: string;
}
