import { Injectable } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { writeEntry } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { Database } from '../../../platform/database/database.js';
import { NotFound, ValidationError } from '../../../lib/errors/errors.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { StoredPage, type StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success, type BulkDeleteResponse } from '../../../platform/fields/shared.schemas.js';
import type { FlowVersionsDeletePost } from './flow-versions-delete.resource.js';
import { FlowVersionsRepository } from './flow-versions.repository.js';
import type { FlowVersion, FlowVersionPatch, FlowVersionPost } from './flow-version.resource.js';
import { checkVersionName, savedGraph } from './flow.rules.js';
import { FlowsRepository } from './flows.repository.js';
import type { FlowClass } from '../../../workflows/graph/graph.js';

/** Maximum number of versions deleted per request, because versions can be large. */
export const MAX_DELETED = 1000;
/** Values of omitted properties when a version is replaced. */
const EMPTY = { enabled: true, notes: null, minimumAgentVersion: null, customNodeConfig: null };

/**
 * Manages the versions of workflows. Operations that create or delete a version lock the workflow first, so that the
 * default version always exists.
 */
@Injectable()
export class FlowVersionsService {
  constructor(
    private readonly versions: FlowVersionsRepository,
    private readonly flows: FlowsRepository,
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  /** If the list is empty, checks that the workflow exists. */
  async list(
    { id: applicationId, ownerId }: ApplicationAccess,
    flowId: string,
    list: ListParameters,
  ): Promise<StoredPage<FlowVersion>> {
    const { items, envelope } = await this.versions.findPage([applicationId, flowId], list, ownerId);
    if (items.length === 0) await this.flows.assertExists(applicationId, flowId);
    return new StoredPage(items, { ...envelope, applicationId, flowId });
  }

  /** Replaces a version with the same name if allowed. The version keeps its ID, and remains the default if it was. */
  create(
    applicationId: string,
    flowId: string,
    post: FlowVersionPost,
    allowReplacement: boolean,
    by: Author,
  ): Promise<StoredResource<FlowVersion>> {
    checkVersionName(post.version);
    return this.database.transaction(async (transaction) => {
      const { flowClass } = await this.flows.lock(applicationId, flowId, transaction);
      assertOwnVersions(flowClass, 'flowVersion cannot be created for');
      const given = { triggers: [], nodes: [], globals: [], ...post };
      const context = { fieldPrefix: 'flowVersion', ownId: flowId, topicPrefix: this.config.TOPIC_PREFIX };
      const { changes } = savedGraph(flowClass, given, context);
      const row = { ...EMPTY, ...post, ...changes, flowClass };
      const replaced =
        allowReplacement && flowClass !== 'customNode'
          ? await this.versions.idOf(flowId, post.version, transaction)
          : undefined;
      const scope = [applicationId, flowId];
      return replaced === undefined
        ? this.versions.add(scope, row, by, transaction)
        : this.versions.update(scope, replaced, row, by, transaction);
    });
  }

  get(applicationId: string, flowId: string, id: string): Promise<StoredResource<FlowVersion>> {
    return this.versions.findOneOrFail([applicationId, flowId], id);
  }

  patch(
    applicationId: string,
    flowId: string,
    id: string,
    patch: FlowVersionPatch,
    by: Author,
  ): Promise<StoredResource<FlowVersion>> {
    return this.versions.update([applicationId, flowId], id, patch, by);
  }

  async delete(applicationId: string, flowId: string, id: string, by: Author): Promise<Success> {
    await this.database.transaction(async (transaction) => {
      const { defaultVersionId, flowClass } = await this.flows.lock(applicationId, flowId, transaction);
      assertOwnVersions(flowClass, 'flowVersion cannot be deleted from');
      const found = await this.versions.userOf(flowId, id, transaction);
      if (!found) throw new NotFound('Flow version');
      if (defaultVersionId === id)
        throw new ValidationError('flowVersion cannot be deleted: it is the default version of its workflow');
      if (found.user !== null)
        throw new ValidationError(
          `flowVersion cannot be deleted: the workflow ${JSON.stringify(found.user)} uses it`,
        );
      await this.versions.delete([applicationId, flowId], id, by, transaction);
    });
    return new Success();
  }

  /** Deletes the versions that match a query, except those in use. */
  deleteMany(
    { id: applicationId, ownerId }: ApplicationAccess,
    flowId: string,
    { query }: FlowVersionsDeletePost,
    by: Author,
  ): Promise<BulkDeleteResponse> {
    const search = { owner: ownerId, parameter: 'options.query' };
    return this.database.searchingTransaction(search, async (transaction) => {
      const flow = await this.flows.lock(applicationId, flowId, transaction);
      assertOwnVersions(flow.flowClass, 'flowVersions cannot be deleted from');
      const counts = await this.versions.dropMatching(flowId, query, MAX_DELETED, transaction);
      const name = await this.flows.applicationName(applicationId, transaction);
      await writeEntry(transaction.manager, by, {
        organization: {
          id: ownerId,
          primary: { type: 'Application', id: applicationId, name },
          secondary: { type: 'Flow', id: flowId, name: flow.name },
        },
      });
      return counts;
    });
  }
}

/** The versions of an experience workflow are created and deleted with those of its experience. */
function assertOwnVersions(flowClass: FlowClass, fault: string): void {
  if (flowClass === 'experience')
    throw new ValidationError(`${fault} an experience workflow: its versions are those of the experience`);
}
