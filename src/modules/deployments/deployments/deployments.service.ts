import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import type { Success } from '../../../platform/fields/shared.schemas.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import type { Deployer } from './deployer.js';
import type { ReleaseBody, RemoveBody, ReplaceBody } from './deployment-bodies.js';
import type { DeploymentListParameters } from './deployment-filters.js';
import type { DeploymentListsRepository, DeploymentRows } from './deployment-lists.repository.js';
import type { DeploymentRequest, DeploymentRequests } from './deployment-requests.js';

/** Reads and changes the deployments of one kind. */
export abstract class DeploymentsService<
  T,
  Query extends DeploymentListParameters = DeploymentListParameters,
> {
  protected constructor(
    private readonly lists: DeploymentListsRepository,
    private readonly requests: DeploymentRequests,
    private readonly deployer: Deployer,
    private readonly rows: DeploymentRows<T, Query>,
  ) {}

  list(application: ApplicationAccess, query: Query): Promise<StoredPage<T>> {
    return this.lists.page(this.rows, application, query);
  }

  get(application: ApplicationAccess, id: string): Promise<StoredResource<T>> {
    return this.lists.obtain(this.rows, application, id);
  }

  release(application: ApplicationAccess, post: ReleaseBody, by: Author): Promise<Success> {
    return this.requests.release(this.deployer, this.asked(application, by, 'Release'), post);
  }

  remove(application: ApplicationAccess, post: RemoveBody, by: Author): Promise<Success> {
    return this.requests.remove(this.deployer, this.asked(application, by, 'Remove'), post);
  }

  replace(application: ApplicationAccess, post: ReplaceBody, by: Author): Promise<Success> {
    return this.requests.replace(this.deployer, this.asked(application, by, 'Replace'), post);
  }

  private asked(application: ApplicationAccess, by: Author, action: string): DeploymentRequest {
    return { application, by, body: `${this.deployer.kind.name}Deployment${action}` };
  }
}
