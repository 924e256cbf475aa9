import { deploymentOperations } from '../deployments/deployments.operations.js';
import { EDGE } from './edge-deployer.js';

/** Facts of the operations of edge deployments. */
export const EDGE_OPERATIONS = deploymentOperations(EDGE, {
  flows:
    'The workflow must have the class `edge` or be a custom node that supports edge. Custom nodes of the application that the workflow executes are deployed with it, and removed with the last workflow that executes them.',
  rollout:
    'A connected device receives the new version at once, any other one when it connects. `currentVersion` changes when the agent reports the new version.',
});
