import { LATEST_TIME, type SortDirection } from '../../../platform/lists/list-query.js';
import {
  listQuery,
  QueryInteger,
  QueryMoment,
  QueryNames,
  QuerySortDirection,
} from '../../../platform/lists/query-fields.js';
import { DEVICE_QUERY } from '../devices/device-selection.js';

const MOST_REPORTS = 1_000;

/** Which reports of a device are answered. */
export class DeviceStatesQuery {
  @QueryInteger({ description: 'At most so many reports.', minimum: 1, maximum: MOST_REPORTS, default: 1 })
  limit: number;

  @QueryMoment({
    description: 'Only reports of this time or later.',
    example: 1_465_790_400_000,
  })
  since?: Date;

  @QuerySortDirection({ description: 'The order of their times.', default: 'desc' })
  sortDirection: SortDirection;

  @QueryInteger({
    description: 'How long before `end` a report may be, in milliseconds, where `start` is absent.',
    minimum: 1,
    maximum: LATEST_TIME,
    example: 86_400_000,
  })
  duration?: number;

  @QueryMoment({ description: 'The earliest time of a report.', example: 1_465_790_400_000 })
  start?: Date;

  @QueryMoment({ description: 'The latest time of a report; absent, now.', example: 0 })
  end?: Date;
}

/** Of which time and attributes values are answered. */
export class CompositeStateQuery {
  @QueryMoment({ description: 'The earliest time of a value.', default: 1 })
  start: Date;

  @QueryMoment({ description: 'The latest time of a value.', default: 0 })
  end: Date;

  @QueryNames({
    description: 'Names of attributes, separated by commas; absent, all of them.',
    example: 'pressure,flow',
  })
  attributes?: string[];
}

/** The same of a page of devices. */
export class CompositeStatesQuery extends listQuery(
  {
    sort: ['name', 'id', 'creationDate', 'lastUpdated', 'connectionStatus'],
    defaultSort: 'name',
    defaultDirection: 'asc',
    perPage: 100,
    query: DEVICE_QUERY,
  },
  CompositeStateQuery,
) {}
