import { listQuery, QueryBoolean } from '../../../platform/lists/query-fields.js';

export class CredentialsQuery extends listQuery({
  sort: ['name', 'type', 'creationDate', 'lastUpdated'],
  defaultSort: 'creationDate',
  defaultDirection: 'desc',
  perPage: 100,
  filter: ['name', 'type'],
}) {}

export class LinkedResourcesQuery {
  @QueryBoolean({
    description: 'Accepted, and the answer is the same: custom nodes that name it are among the workflows.',
    default: false,
  })
  includeCustomNodes: boolean;
}
