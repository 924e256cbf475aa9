import { Injectable } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { writeEntry } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { flowEntry } from '../flow-runs/flow-entry.js';
import { ExperienceFlowsService } from './experience-flows.service.js';
import { FlowVersionsRepository } from './flow-versions.repository.js';
import type { Flow, FlowPatch, FlowPost } from './flow.resource.js';
import { checkAgentVersion, graphOf, savedGraph } from './flow.rules.js';
import { FLOW_PURGE } from './flows.jobs.js';
import { FlowsRepository } from './flows.repository.js';

/** Maximum number of workflows deleted together with a resource that triggers them. */
const MAX_DELETED = 1000;
/** Columns of an experience workflow that only experience versions contain. */
const EMPTY_DEVELOP = { inDevelop: false, triggers: [], nodes: [], globals: [], namedIds: [] };
const DELETED_IN_DEVELOP = 'flow is deleted in develop: only versions of the experience contain it';

/** Creates, updates and deletes workflows. */
@Injectable()
export class FlowsService {
  constructor(
    private readonly flows: FlowsRepository,
    private readonly versions: FlowVersionsRepository,
    private readonly database: Database,
    private readonly experienceFlows: ExperienceFlowsService,
    private readonly jobs: JobsService,
    private readonly config: Config,
  ) {}

  create(
    application: ApplicationAccess,
    post: FlowPost,
    by: Author,
    transaction?: Transaction,
  ): Promise<StoredResource<Flow>> {
    const flowClass = post.flowClass ?? 'cloud';
    const { changes } = savedGraph(flowClass, post, { topicPrefix: this.config.TOPIC_PREFIX });
    const empty = { enabled: true, triggers: [], nodes: [], globals: [] };
    return this.flows.addToApplication(
      application,
      { ...empty, ...normalizeCategory(post), ...changes, flowClass },
      by,
      transaction,
    );
  }

  get(applicationId: string, id: string): Promise<StoredResource<Flow>> {
    return this.flows.findOneOrFail(applicationId, id);
  }

  /**
   * Validates the graph as a whole while the row is locked, so that concurrent updates cannot produce an invalid graph.
   */
  async patch(
    applicationId: string,
    id: string,
    patch: FlowPatch,
    by: Author,
  ): Promise<StoredResource<Flow>> {
    const { defaultVersionId: given, ...rest } = normalizeCategory(patch);
    if (given === undefined && Object.keys(graphOf(rest)).length === 0)
      return this.flows.update(applicationId, id, rest, by);
    const defaultVersionId = given?.toLowerCase() ?? given;
    return this.database.transaction(async (transaction) => {
      const flow = await this.flows.lock(applicationId, id, transaction);
      if (!flow.inDevelop) throw new ValidationError(DELETED_IN_DEVELOP);
      checkAgentVersion(flow.minimumAgentVersion, rest.minimumAgentVersion);
      const { changes } = savedGraph(flow.flowClass, rest, {
        ownId: id,
        stored: flow,
        topicPrefix: this.config.TOPIC_PREFIX,
      });
      if (typeof defaultVersionId === 'string') await this.assertVersion(flow, defaultVersionId, transaction);
      return this.flows.update(applicationId, id, { ...rest, ...changes, defaultVersionId }, by, transaction);
    });
  }

  /**
   * Deletes the workflow immediately; a job deletes its versions, runs and storage. Versions of the experience keep
   * their copy.
   */
  async delete(applicationId: string, id: string, by: Author): Promise<Success> {
    await this.database.transaction(async (transaction) => {
      const { flowClass, inDevelop } = await this.flows.lock(applicationId, id, transaction);
      if (!inDevelop) throw new ValidationError(DELETED_IN_DEVELOP);
      const user = flowClass === 'customNode' ? await this.flows.userOf(id, transaction) : undefined;
      if (user !== undefined)
        throw new ValidationError(`flow cannot be deleted: the workflow ${JSON.stringify(user)} uses it`);
      if (flowClass === 'experience' && (await this.experienceFlows.hasVersions(id, transaction))) {
        await this.flows.update(applicationId, id, EMPTY_DEVELOP, by, transaction);
        return;
      }
      await this.flows.delete(applicationId, id, by, transaction);
      await this.jobs.enqueue(transaction, FLOW_PURGE, { flowIds: [id] }, by);
    });
    return new Success();
  }

  /**
   * Deletes the workflows that have the trigger in the default version or the development version. Throws `400` if
   * there are more than one request can delete. Each deletion is recorded in the audit log.
   */
  async deleteTriggered(
    application: ApplicationAccess,
    trigger: { type: string; key: string },
    by: Author,
    transaction: Transaction,
  ): Promise<void> {
    const ids = await this.flows.lockTriggered(application.id, trigger, MAX_DELETED + 1, transaction);
    if (ids.length > MAX_DELETED)
      throw new ValidationError(
        `includeWorkflows is limited to ${MAX_DELETED} workflows: delete some of them first`,
      );
    const removed = await this.experienceFlows.remove(ids, by, transaction);
    for (const flow of removed) await writeEntry(transaction.manager, by, flowEntry(application, flow));
  }

  private async assertVersion(
    { id, flowClass }: Flow,
    versionId: string,
    transaction: Transaction,
  ): Promise<void> {
    if (flowClass === 'experience')
      throw new ValidationError('flow.defaultVersionId cannot be set on an experience workflow');
    if (!(await this.versions.isOf(id, versionId, transaction)))
      throw new ValidationError('flow.defaultVersionId is not a version of this workflow');
  }
}

/** Converts an empty category to `null`. */
function normalizeCategory<T extends { category?: string }>(
  body: T,
): Omit<T, 'category'> & { category?: string | null } {
  return { ...body, ...(body.category === '' ? { category: null } : {}) };
}
