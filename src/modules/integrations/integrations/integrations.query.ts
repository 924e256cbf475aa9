import { listQuery, QueryBoolean } from '../../../platform/lists/query-fields.js';

export class IntegrationsQuery extends listQuery({
  sort: ['name', 'id', 'creationDate', 'integrationType', 'lastUpdated'],
  defaultSort: 'name',
  defaultDirection: 'asc',
  perPage: 100,
  filter: ['name', 'integrationType'],
}) {}

export class IntegrationDeleteQuery {
  @QueryBoolean({
    description: 'Whether to also delete the workflows that the integration triggers.',
    default: false,
  })
  includeWorkflows: boolean;
}
