import { PeriodicTask } from '../../../platform/database/periodic-task.js';
import type { Deployer } from './deployer.js';

const INTERVAL_MS = 1_000;

/** Applies deployment changes that were not applied within a request. Runs in every worker. */
export class DeploymentWorker extends PeriodicTask {
  constructor(private readonly deployer: Deployer) {
    super(INTERVAL_MS, 'Deployments could not be changed');
  }

  override runBatch(): Promise<boolean> {
    return this.deployer.work();
  }
}
