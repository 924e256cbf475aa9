import { listQuery, SummaryQuery } from '../../../platform/lists/query-fields.js';
import { INSTANCE_ORG_QUERY } from './instance-org.resource.js';

export class InstanceOrgsQuery extends listQuery(
  {
    sort: ['name', 'id', 'creationDate', 'lastUpdated'],
    defaultSort: 'name',
    defaultDirection: 'asc',
    perPage: 100,
    filter: ['name'],
    query: INSTANCE_ORG_QUERY,
  },
  SummaryQuery,
) {}
