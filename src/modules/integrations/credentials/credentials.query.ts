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
    description:
      'Accepted for compatibility and has no effect: workflows always include the custom nodes that refer to the credential.',
    default: false,
  })
  includeCustomNodes: boolean;
}
