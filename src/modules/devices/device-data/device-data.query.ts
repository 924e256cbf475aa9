import { MAX_TIME, type SortDirection } from '../../../platform/lists/list-query.js';
import {
  listQuery,
  QueryInteger,
  QueryMoment,
  QueryNames,
  QuerySortDirection,
} from '../../../platform/lists/query-fields.js';
import { DEVICE_QUERY } from '../devices/device-selection.js';

const MAX_REPORTS = 1_000;

/** Parameters that select reports of a device. */
export class DeviceStatesQuery {
  @QueryInteger({
    description: 'Maximum number of reports to return.',
    minimum: 1,
    maximum: MAX_REPORTS,
    default: 1,
  })
  limit: number;

  @QueryMoment({
    description: 'Returns only reports with this time or later.',
    example: 1_465_790_400_000,
  })
  since?: Date;

  @QuerySortDirection({ description: 'Sort direction of the reports by time.', default: 'desc' })
  sortDirection: SortDirection;

  @QueryInteger({
    description: 'Length of the time range before `end`, in milliseconds. Ignored if `start` is set.',
    minimum: 1,
    maximum: MAX_TIME,
    example: 86_400_000,
  })
  duration?: number;

  @QueryMoment({ description: 'Earliest time of a report, inclusive.', example: 1_465_790_400_000 })
  start?: Date;

  @QueryMoment({
    description: 'Latest time of a report, inclusive. Defaults to the current time.',
    example: 0,
  })
  end?: Date;
}

/** Parameters that select values by time and attribute. */
export class CompositeStateQuery {
  @QueryMoment({ description: 'Earliest time of a value, inclusive.', default: 1 })
  start: Date;

  @QueryMoment({ description: 'Latest time of a value, inclusive.', default: 0 })
  end: Date;

  @QueryNames({
    description: 'Comma-separated names of attributes. Defaults to all attributes.',
    example: 'pressure,flow',
  })
  attributes?: string[];
}

/** Parameters of the composite states of a page of devices. */
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
