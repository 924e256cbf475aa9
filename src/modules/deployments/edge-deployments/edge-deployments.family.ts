import type { Family } from '../../../platform/families.js';
import { COUNTED_EDGE_DEPLOYMENTS } from './edge-deployments.columns.js';
import { EDGE_DEPLOYMENTS, EdgeDeployment } from './edge-deployment.resource.js';
import { EdgeDeploymentsModule } from './edge-deployments.module.js';

/** Workflows of edge compute devices. */
export const EDGE_DEPLOYMENTS_FAMILY: Family = {
  modules: [EdgeDeploymentsModule],
  entities: [EdgeDeployment],
  holdings: [EDGE_DEPLOYMENTS],
  neverBundled: {
    edge_deployments: 'State of the devices of this application.',
  },
  countedRows: COUNTED_EDGE_DEPLOYMENTS,
  tag: {
    name: 'edgeDeployments',
    title: 'Edge deployments',
    group: 'Devices',
    resources: ['edgeDeployments', 'edgeDeployment'],
    description:
      'Workflows on edge compute devices: list current and desired versions, release, replace and remove versions.',
  },
};
