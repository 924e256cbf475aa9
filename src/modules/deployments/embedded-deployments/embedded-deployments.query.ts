import { listQuery } from '../../../platform/lists/query-fields.js';
import { DeploymentFilters } from '../deployments/deployment-filters.js';

export class EmbeddedDeploymentsQuery extends listQuery(
  {
    sort: ['id', 'creationDate', 'lastUpdated'],
    defaultSort: 'lastUpdated',
    defaultDirection: 'desc',
    perPage: 1000,
  },
  DeploymentFilters,
) {}
