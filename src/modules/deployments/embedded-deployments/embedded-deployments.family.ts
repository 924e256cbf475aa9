import type { Family } from '../../../platform/families.js';
import { COUNTED_EMBEDDED_DEPLOYMENTS } from './embedded-deployments.columns.js';
import { EMBEDDED_DEPLOYMENT_FLOWS, EmbeddedDeploymentFlow } from './embedded-deployment-flow.entity.js';
import { EMBEDDED_DEPLOYMENTS, EmbeddedDeployment } from './embedded-deployment.resource.js';
import { EmbeddedDeploymentsModule } from './embedded-deployments.module.js';

/** Workflows of embedded devices. */
export const EMBEDDED_DEPLOYMENTS_FAMILY: Family = {
  modules: [EmbeddedDeploymentsModule],
  entities: [EmbeddedDeployment, EmbeddedDeploymentFlow],
  holdings: [EMBEDDED_DEPLOYMENTS, EMBEDDED_DEPLOYMENT_FLOWS],
  neverBundled: {
    embedded_deployment_flows: 'State of the devices of this application.',
    embedded_deployments: 'State of the devices of this application.',
  },
  countedRows: COUNTED_EMBEDDED_DEPLOYMENTS,
  tag: {
    name: 'embeddedDeployments',
    title: 'Embedded deployments',
    group: 'Devices',
    resources: ['embeddedDeployments', 'embeddedDeployment'],
    description:
      'Workflows on embedded devices: list current and desired versions, release, replace and remove versions.',
  },
};
