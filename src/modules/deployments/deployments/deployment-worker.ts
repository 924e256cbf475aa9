import { Repeated } from '../../../platform/database/repeated.js';
import type { Deployer } from './deployer.js';

const INTERVAL_MS = 1_000;

/** Applies deployment changes that were not applied within a request. Runs in every worker. */
export class DeploymentWorker extends Repeated {
  constructor(private readonly deployer: Deployer) {
    super(INTERVAL_MS, 'Deployments could not be changed');
  }

  override batch(): Promise<boolean> {
    return this.deployer.work();
  }
}
