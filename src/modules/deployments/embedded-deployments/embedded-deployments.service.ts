import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import type { Stored, StoredPage } from '../../../platform/responses/answers.js';
import type { Success } from '../../../platform/fields/shared.schemas.js';
import { DeploymentListsRepository } from '../deployments/deployment-lists.repository.js';
import { DeploymentRequests } from '../deployments/deployment-requests.js';
import { EmbeddedDeployer } from './embedded-deployer.js';
import { EMBEDDED_ROWS } from './embedded-deployments.columns.js';
import type {
  EmbeddedDeployment,
  EmbeddedDeploymentRelease,
  EmbeddedDeploymentRemove,
  EmbeddedDeploymentReplace,
} from './embedded-deployment.resource.js';
import type { EmbeddedDeploymentsQuery } from './embedded-deployments.query.js';

/** Reads and changes the deployments of embedded devices. */
@Injectable()
export class EmbeddedDeploymentsService {
  constructor(
    private readonly lists: DeploymentListsRepository,
    private readonly requests: DeploymentRequests,
    private readonly deployer: EmbeddedDeployer,
  ) {}

  list(
    application: ApplicationAccess,
    query: EmbeddedDeploymentsQuery,
  ): Promise<StoredPage<EmbeddedDeployment>> {
    return this.lists.page(EMBEDDED_ROWS, application, query);
  }

  get(application: ApplicationAccess, id: string): Promise<Stored<EmbeddedDeployment>> {
    return this.lists.obtain(EMBEDDED_ROWS, application, id);
  }

  release(application: ApplicationAccess, post: EmbeddedDeploymentRelease, by: Author): Promise<Success> {
    return this.requests.release(this.deployer, { application, by, body: 'embeddedDeploymentRelease' }, post);
  }

  remove(application: ApplicationAccess, post: EmbeddedDeploymentRemove, by: Author): Promise<Success> {
    return this.requests.remove(this.deployer, { application, by, body: 'embeddedDeploymentRemove' }, post);
  }

  replace(application: ApplicationAccess, post: EmbeddedDeploymentReplace, by: Author): Promise<Success> {
    return this.requests.replace(this.deployer, { application, by, body: 'embeddedDeploymentReplace' }, post);
  }
}
