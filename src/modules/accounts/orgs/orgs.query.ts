import { listQuery, SummaryQuery } from '../../../platform/lists/query-fields.js';

export class OrgsQuery extends listQuery(
  {
    sort: ['name', 'id', 'creationDate', 'lastUpdated'],
    defaultSort: 'name',
    defaultDirection: 'asc',
    perPage: 100,
    filter: ['name'],
  },
  SummaryQuery,
) {}
