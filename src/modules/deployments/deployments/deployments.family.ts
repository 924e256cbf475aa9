import type { Family } from '../../../platform/families.js';
import { DEPLOYMENT_TASKS, DeploymentTask } from './deployment-task.entity.js';

/** Tasks that edge and embedded deployments share. */
export const DEPLOYMENTS_FAMILY: Family = {
  entities: [DeploymentTask],
  holdings: [DEPLOYMENT_TASKS],
  neverBundled: {
    deployment_tasks: 'Pending work.',
  },
};
