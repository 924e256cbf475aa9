import { deploymentOperations } from '../deployments/deployments.operations.js';
import { EMBEDDED } from './embedded-deployer.js';

/** Facts of the operations of embedded deployments. */
export const EMBEDDED_OPERATIONS = deploymentOperations(EMBEDDED, {
  flows: 'The workflow must have the class `embedded`.',
  rollout:
    'A device gets its bundle after its next hello. `currentVersion` changes when the device reports the new bundle.',
});
