import { Injectable } from '@nestjs/common';
import { DeploymentListsRepository } from '../deployments/deployment-lists.repository.js';
import { DeploymentRequests } from '../deployments/deployment-requests.js';
import { DeploymentsService } from '../deployments/deployments.service.js';
import { EmbeddedDeployer } from './embedded-deployer.js';
import { EMBEDDED_ROWS } from './embedded-deployments.columns.js';
import type { EmbeddedDeployment } from './embedded-deployment.resource.js';

/** Reads and changes the deployments of embedded devices. */
@Injectable()
export class EmbeddedDeploymentsService extends DeploymentsService<EmbeddedDeployment> {
  constructor(lists: DeploymentListsRepository, requests: DeploymentRequests, deployer: EmbeddedDeployer) {
    super(lists, requests, deployer, EMBEDDED_ROWS);
  }
}
