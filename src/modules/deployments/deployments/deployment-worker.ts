import { Repeated } from '../../../platform/database/repeated.js';
import type { Deployer } from './deployer.js';

const INTERVAL_MS = 1_000;

/** Makes the changes of deployments that no request waits for, in every worker. */
export class DeploymentWorker extends Repeated {
  constructor(private readonly deployer: Deployer) {
    super(INTERVAL_MS, 'Deployments did not change');
  }

  override batch(): Promise<boolean> {
    return this.deployer.work();
  }
}
