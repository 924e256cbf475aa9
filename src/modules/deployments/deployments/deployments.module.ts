import { Module } from '@nestjs/common';
import { AgentSignals } from './agent-signals.js';
import { DeploymentListsRepository } from './deployment-lists.repository.js';
import { DeploymentRequests } from './deployment-requests.js';
import { DeploymentTargetsRepository } from './deployment-targets.repository.js';
import { DeploymentTasksRepository } from './deployment-tasks.repository.js';

/** Code shared by edge and embedded deployments. */
@Module({
  providers: [
    AgentSignals,
    DeploymentListsRepository,
    DeploymentTasksRepository,
    DeploymentTargetsRepository,
    DeploymentRequests,
  ],
  exports: [AgentSignals, DeploymentListsRepository, DeploymentTasksRepository, DeploymentRequests],
})
export class DeploymentsModule {}
