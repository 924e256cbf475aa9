import { Module } from '@nestjs/common';
import { DeploymentWorker } from '../deployments/deployment-worker.js';
import { DeploymentsModule } from '../deployments/deployments.module.js';
import { EmbeddedBundlesRepository } from './embedded-bundles.repository.js';
import { EmbeddedChangesRepository } from './embedded-changes.repository.js';
import { EmbeddedDeployer } from './embedded-deployer.js';
import { EmbeddedDeploymentController } from './embedded-deployment.controller.js';
import { EmbeddedDeploymentsController } from './embedded-deployments.controller.js';
import { EmbeddedDeploymentsService } from './embedded-deployments.service.js';

const WORKER = {
  provide: DeploymentWorker,
  useFactory: (deployer: EmbeddedDeployer) => new DeploymentWorker(deployer),
  inject: [EmbeddedDeployer],
};

/** Workflows of embedded devices. */
@Module({
  imports: [DeploymentsModule],
  controllers: [EmbeddedDeploymentsController, EmbeddedDeploymentController],
  providers: [
    EmbeddedChangesRepository,
    EmbeddedDeployer,
    EmbeddedDeploymentsService,
    EmbeddedBundlesRepository,
    WORKER,
  ],
  exports: [EmbeddedBundlesRepository],
})
export class EmbeddedDeploymentsModule {}
