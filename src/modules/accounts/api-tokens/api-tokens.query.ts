import { listQuery } from '../../../platform/lists/query-fields.js';

/** Query parameters for listing tokens of any type of owner. */
export class ApiTokensQuery extends listQuery({
  sort: ['name', 'status', 'id', 'creationDate', 'lastUpdated', 'expirationDate'],
  defaultSort: 'name',
  defaultDirection: 'asc',
  perPage: 100,
  filter: ['name', 'status'],
}) {}
