import { Module } from '@nestjs/common';
import { FiringsModule } from '../../../workflows/runs/firings.module.js';
import { DeploymentWorker } from '../deployments/deployment-worker.js';
import { DeploymentsModule } from '../deployments/deployments.module.js';
import { EdgeAgentService } from './edge-agent.service.js';
import { EdgeAgentsRepository } from './edge-agents.repository.js';
import { EdgeChangesRepository } from './edge-changes.repository.js';
import { EdgeContentsRepository } from './edge-contents.repository.js';
import { EdgeCustomNodesRepository } from './edge-custom-nodes.repository.js';
import { EdgeDeployer } from './edge-deployer.js';
import { EdgeDeploymentController } from './edge-deployment.controller.js';
import { EdgeDeploymentsController } from './edge-deployments.controller.js';
import { EdgeDeploymentsService } from './edge-deployments.service.js';

const WORKER = {
  provide: DeploymentWorker,
  useFactory: (deployer: EdgeDeployer) => new DeploymentWorker(deployer),
  inject: [EdgeDeployer],
};

/** Workflows of edge compute devices. */
@Module({
  imports: [DeploymentsModule, FiringsModule],
  controllers: [EdgeDeploymentsController, EdgeDeploymentController],
  providers: [
    EdgeAgentService,
    EdgeAgentsRepository,
    EdgeChangesRepository,
    EdgeContentsRepository,
    EdgeCustomNodesRepository,
    EdgeDeployer,
    EdgeDeploymentsService,
    WORKER,
  ],
  exports: [EdgeAgentService],
})
export class EdgeDeploymentsModule {}
