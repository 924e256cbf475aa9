import { listQuery, QueryId, SummaryQuery } from '../../platform/list/query-fields.js';

export class ApplicationsQuery extends listQuery(
  {
    sort: ['name', 'id', 'creationDate', 'ownerId', 'lastUpdated'],
    defaultSort: 'name',
    defaultDirection: 'asc',
    perPage: 100,
    filter: ['name'],
  },
  SummaryQuery,
) {
  @QueryId({
    blank: true,
    description:
      'An organization, for its applications; blank, for those of your sandbox; absent, for all that you see.',
  })
  orgId?: string;
}
