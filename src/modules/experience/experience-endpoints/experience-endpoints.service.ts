import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { StoredPage, type StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { GroupLinksRepository } from '../experience-groups/group-links.repository.js';
import { ExperienceVersionsRepository } from '../experience-versions/experience-versions.repository.js';
import { FlowsService } from '../../flows/flows/flows.service.js';
import { EndpointRequestsRepository } from './endpoint-requests.repository.js';
import { FIELD, validateEndpoint, ENDPOINT_DEFAULTS } from './endpoint.rules.js';
import type {
  ExperienceEndpoint,
  ExperienceEndpointPatch,
  ExperienceEndpointPost,
} from './experience-endpoint.resource.js';
import type { ExperienceEndpointsQuery } from './experience-endpoints.query.js';
import { ExperienceEndpointsRepository } from './experience-endpoints.repository.js';
import { windowUntilNow } from './request-window.js';

const DAY_MS = 86_400_000;

/** Manages the endpoints of experiences. */
@Injectable()
export class ExperienceEndpointsService {
  constructor(
    private readonly endpoints: ExperienceEndpointsRepository,
    private readonly requests: EndpointRequestsRepository,
    private readonly links: GroupLinksRepository,
    private readonly versions: ExperienceVersionsRepository,
    private readonly flows: FlowsService,
    private readonly database: Database,
  ) {}

  async list(
    application: ApplicationAccess,
    query: ExperienceEndpointsQuery,
  ): Promise<StoredPage<ExperienceEndpoint>> {
    const { version, requestCountDuration, experienceGroupId, list } = query;
    const versionId = (await this.versions.frozen(application.id, version))?.id;
    const counted = windowUntilNow(requestCountDuration ?? DAY_MS);
    const { items, envelope } = await this.endpoints.listOf(application, {
      list,
      versionId,
      experienceGroupId,
      counted,
    });
    const notFound =
      requestCountDuration === undefined ? undefined : await this.requests.notFound(application, counted);
    return new StoredPage(items, {
      ...envelope,
      totalCount: items.length,
      applicationId: application.id,
      experienceGroupId,
      notFoundRequestCount: notFound,
    });
  }

  async create(
    application: ApplicationAccess,
    post: ExperienceEndpointPost,
    by: Author,
  ): Promise<StoredResource<ExperienceEndpoint>> {
    const { experienceGroupIds = [], ...given } = post;
    const row = { ...ENDPOINT_DEFAULTS, ...given, ...validateEndpoint(given) };
    const store = () =>
      experienceGroupIds.length === 0
        ? this.endpoints.addToApplication(application, row, by)
        : this.database.transaction(async (transaction) => {
            const id = (await this.endpoints.addToApplication(application, row, by, transaction)).text('id')!;
            await this.setGroups(application.id, id, experienceGroupIds, transaction);
            return this.endpoints.reload(application.id, id, transaction);
          });
    return this.endpoints.withRouteCheck(application.id, '', row, store);
  }

  async get(applicationId: string, id: string, version: string): Promise<StoredResource<ExperienceEndpoint>> {
    const versionId = (await this.versions.frozen(applicationId, version))?.id;
    return versionId === undefined
      ? this.endpoints.findOneOrFail(applicationId, id)
      : this.endpoints.findInVersion(applicationId, versionId, id);
  }

  async patch(
    applicationId: string,
    id: string,
    patch: ExperienceEndpointPatch,
    by: Author,
  ): Promise<StoredResource<ExperienceEndpoint>> {
    const { experienceGroupIds, ...given } = patch;
    const changes = { ...given, ...validateEndpoint(given) };
    const store = () =>
      experienceGroupIds === undefined
        ? this.endpoints.update(applicationId, id, changes, by)
        : this.database.transaction(async (transaction) => {
            await this.endpoints.lock(applicationId, id, transaction);
            await this.setGroups(applicationId, id, experienceGroupIds, transaction);
            return this.endpoints.update(applicationId, id, changes, by, transaction);
          });
    return this.endpoints.withRouteCheck(applicationId, id, changes, store);
  }

  /**
   * Deletes an endpoint, and with `includeWorkflows` also the workflows it triggers. Each deletion is recorded in the
   * audit log.
   */
  async delete(
    application: ApplicationAccess,
    id: string,
    includeWorkflows: boolean,
    by: Author,
  ): Promise<Success> {
    if (!includeWorkflows) await this.endpoints.delete(application.id, id, by);
    else
      await this.database.transaction(async (transaction) => {
        await this.endpoints.delete(application.id, id, by, transaction);
        const trigger = { type: 'endpoint', key: id };
        await this.flows.deleteTriggered(application, trigger, by, transaction);
      });
    return new Success();
  }

  private setGroups(
    applicationId: string,
    id: string,
    ids: readonly string[],
    transaction: Transaction,
  ): Promise<void> {
    const side = { applicationId, id, ids, fieldPath: `${FIELD}.experienceGroupIds` };
    return this.links.setGroups('endpoints', side, transaction);
  }
}
