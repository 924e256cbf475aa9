import { listQuery } from '../../../platform/lists/query-fields.js';

export class CredentialsQuery extends listQuery({
  sort: ['name', 'type', 'creationDate', 'lastUpdated'],
  defaultSort: 'creationDate',
  defaultDirection: 'desc',
  perPage: 100,
  filter: ['name', 'type'],
}) {}
