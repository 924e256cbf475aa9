import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import type { Stored, StoredPage } from '../../../platform/responses/answers.js';
import type { Success } from '../../../platform/fields/shared.schemas.js';
import { DeploymentListsRepository } from '../deployments/deployment-lists.repository.js';
import { DeploymentRequests } from '../deployments/deployment-requests.js';
import { EdgeDeployer } from './edge-deployer.js';
import { EDGE_ROWS } from './edge-deployments.columns.js';
import type {
  EdgeDeployment,
  EdgeDeploymentRelease,
  EdgeDeploymentRemove,
  EdgeDeploymentReplace,
} from './edge-deployment.resource.js';
import type { EdgeDeploymentsQuery } from './edge-deployments.query.js';

/** Reads and changes the deployments of edge compute devices. */
@Injectable()
export class EdgeDeploymentsService {
  constructor(
    private readonly lists: DeploymentListsRepository,
    private readonly requests: DeploymentRequests,
    private readonly deployer: EdgeDeployer,
  ) {}

  list(application: ApplicationAccess, query: EdgeDeploymentsQuery): Promise<StoredPage<EdgeDeployment>> {
    return this.lists.page(EDGE_ROWS, application, query);
  }

  get(application: ApplicationAccess, id: string): Promise<Stored<EdgeDeployment>> {
    return this.lists.obtain(EDGE_ROWS, application, id);
  }

  release(application: ApplicationAccess, post: EdgeDeploymentRelease, by: Author): Promise<Success> {
    return this.requests.release(this.deployer, { application, by, body: 'edgeDeploymentRelease' }, post);
  }

  remove(application: ApplicationAccess, post: EdgeDeploymentRemove, by: Author): Promise<Success> {
    return this.requests.remove(this.deployer, { application, by, body: 'edgeDeploymentRemove' }, post);
  }

  replace(application: ApplicationAccess, post: EdgeDeploymentReplace, by: Author): Promise<Success> {
    return this.requests.replace(this.deployer, { application, by, body: 'edgeDeploymentReplace' }, post);
  }
}
