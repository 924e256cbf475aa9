import { listQuery } from '../../../platform/lists/query-fields.js';

export class ExperienceVersionsQuery extends listQuery({
  sort: ['version', 'id', 'creationDate', 'lastUpdated'],
  defaultSort: 'version',
  defaultDirection: 'asc',
  perPage: 100,
  filter: ['version'],
}) {}
