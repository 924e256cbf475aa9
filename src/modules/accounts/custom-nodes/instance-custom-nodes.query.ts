import { listQuery } from '../../../platform/lists/query-fields.js';

export class InstanceCustomNodesQuery extends listQuery({
  sort: ['name', 'id', 'creationDate', 'lastUpdated'],
  defaultSort: 'name',
  defaultDirection: 'asc',
  perPage: 100,
  filter: ['name'],
}) {}
