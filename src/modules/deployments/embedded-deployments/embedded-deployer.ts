import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { AgentSignals } from '../deployments/agent-signals.js';
import { Deployer } from '../deployments/deployer.js';
import type { DeploymentKind } from '../deployments/deployment-change.js';
import { DeploymentTasksRepository } from '../deployments/deployment-tasks.repository.js';
import { EmbeddedChangesRepository } from './embedded-changes.repository.js';

/** Devices, workflows and table of embedded deployments. */
export const EMBEDDED: DeploymentKind = {
  name: 'embedded',
  deviceClass: 'embedded',
  flowClasses: ['embedded'],
  table: 'embedded_deployment_flows',
};

/** Applies changes to embedded deployments. */
@Injectable()
export class EmbeddedDeployer extends Deployer {
  constructor(
    database: Database,
    tasks: DeploymentTasksRepository,
    rows: EmbeddedChangesRepository,
    jobs: JobsService,
    signals: AgentSignals,
  ) {
    super(database, tasks, rows, jobs, signals, EMBEDDED);
  }
}
