import { listQuery, QueryBoolean } from '../../../platform/lists/query-fields.js';
import { DeploymentFilters } from '../deployments/deployment-filters.js';

export class EdgeDeploymentsQuery extends listQuery(
  {
    sort: ['id', 'deviceId', 'flowId', 'desiredVersion', 'currentVersion', 'creationDate', 'lastUpdated'],
    defaultSort: 'lastUpdated',
    defaultDirection: 'asc',
    perPage: 100,
  },
  DeploymentFilters,
) {
  @QueryBoolean({
    description: 'Whether to omit deployments that have neither a current nor a desired version.',
    default: false,
  })
  filterEmpty: boolean;
}
