import { listQuery } from '../../../platform/lists/query-fields.js';
import { APPLICATION_KEY_QUERY } from './application-key.resource.js';

export class ApplicationKeysQuery extends listQuery({
  sort: ['key', 'status', 'id', 'creationDate', 'lastUpdated', 'name'],
  defaultSort: 'creationDate',
  defaultDirection: 'desc',
  perPage: 100,
  filter: ['key', 'status', 'name'],
  query: APPLICATION_KEY_QUERY,
}) {}
