import { notYet } from '../../../platform/not-yet.js';
import { deploymentOperations } from '../deployments/deployments.operations.js';
import { EDGE } from './edge-deployer.js';

/** Facts of the operations of edge deployments. */
export const EDGE_OPERATIONS = deploymentOperations(EDGE, {
  flows:
    'The workflow must have the class `edge` or be a custom node that supports edge; custom nodes that a workflow uses are released separately.',
  rollout:
    '`currentVersion` changes when the agent reports the new version. ' +
    notYet(
      'broker',
      'Agents report through the broker, which this platform does not include yet; until then, all deployments remain pending.',
    ),
});
