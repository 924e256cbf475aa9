import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { AgentSignals } from '../deployments/agent-signals.js';
import { Deployer } from '../deployments/deployer.js';
import type { DeploymentKind } from '../deployments/deployment-change.js';
import { DeploymentTasksRepository } from '../deployments/deployment-tasks.repository.js';
import { EdgeChangesRepository } from './edge-changes.repository.js';
import { EDGE_FLOW_CLASSES } from './edge-deployment.resource.js';

/** Devices, workflows and table of edge deployments. */
export const EDGE: DeploymentKind = {
  name: 'edge',
  deviceClass: 'edgeCompute',
  flowClasses: EDGE_FLOW_CLASSES,
  table: 'edge_deployments',
};

/** Applies changes to edge deployments. */
@Injectable()
export class EdgeDeployer extends Deployer {
  constructor(
    database: Database,
    tasks: DeploymentTasksRepository,
    rows: EdgeChangesRepository,
    jobs: JobsService,
    signals: AgentSignals,
  ) {
    super(database, tasks, rows, jobs, signals, EDGE);
  }
}
