import { Injectable } from '@nestjs/common';
import { DeploymentListsRepository } from '../deployments/deployment-lists.repository.js';
import { DeploymentRequests } from '../deployments/deployment-requests.js';
import { DeploymentsService } from '../deployments/deployments.service.js';
import { EdgeDeployer } from './edge-deployer.js';
import { EDGE_ROWS } from './edge-deployments.columns.js';
import type { EdgeDeployment } from './edge-deployment.resource.js';
import type { EdgeDeploymentsQuery } from './edge-deployments.query.js';

/** Reads and changes the deployments of edge compute devices. */
@Injectable()
export class EdgeDeploymentsService extends DeploymentsService<EdgeDeployment, EdgeDeploymentsQuery> {
  constructor(lists: DeploymentListsRepository, requests: DeploymentRequests, deployer: EdgeDeployer) {
    super(lists, requests, deployer, EDGE_ROWS);
  }
}
