import { deploymentOperations } from '../deployments/deployments.operations.js';
import { EDGE } from './edge-deployer.js';

/** Facts of the operations of edge deployments. */
export const EDGE_OPERATIONS = deploymentOperations(EDGE, {
  flows:
    'The workflow must have the class `edge` or be a custom node that supports edge; custom nodes that a workflow uses are released separately.',
  rollout:
    'A connected device receives the new version at once, any other one when it connects. `currentVersion` changes when the agent reports the new version.',
});
