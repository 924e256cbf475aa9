import { listQuery } from '../../../platform/lists/query-fields.js';

/** The query of a list of tokens, whoever owns them. */
export class ApiTokensQuery extends listQuery({
  sort: ['name', 'status', 'id', 'creationDate', 'lastUpdated', 'expirationDate'],
  defaultSort: 'name',
  defaultDirection: 'asc',
  perPage: 100,
  filter: ['name', 'status'],
}) {}
