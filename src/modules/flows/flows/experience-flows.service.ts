import { Injectable } from '@nestjs/common';
import type { Author } from '../../../platform/audit/author.js';
import type { Transaction } from '../../../platform/database/database.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { ExperienceFlowsRepository, type RemovedFlow } from './experience-flows.repository.js';
import { FLOW_PURGE } from './flows.jobs.js';

/** Changes experience workflows on behalf of the module that manages versions of the experience. */
@Injectable()
export class ExperienceFlowsService {
  constructor(
    private readonly flows: ExperienceFlowsRepository,
    private readonly jobs: JobsService,
  ) {}

  /** Returns whether versions of the experience contain the locked workflow. */
  hasVersions(id: string, transaction: Transaction): Promise<boolean> {
    return this.flows.hasVersions(id, transaction);
  }

  /**
   * Deletes the workflows in development, except those that the version `but` contains; an empty string matches no
   * version.
   */
  async clearDevelop(
    applicationId: string,
    { except, by }: { except: string; by: Author },
    transaction: Transaction,
  ): Promise<void> {
    const ids = await this.flows.lockOthers(applicationId, except, transaction);
    await this.remove(ids, by, transaction);
  }

  /** Deletes the workflows in development with a name. */
  async removeNamed(
    applicationId: string,
    name: string,
    by: Author,
    transaction: Transaction,
  ): Promise<void> {
    await this.remove(await this.flows.lockNamed(applicationId, name, transaction), by, transaction);
  }

  /**
   * Deletes the workflow versions of an experience version. A deleted workflow is removed together with its last
   * version.
   */
  async dropVersion(
    applicationId: string,
    version: string,
    by: Author,
    transaction: Transaction,
  ): Promise<void> {
    const ids = await this.flows.lockOfVersion(applicationId, version, transaction);
    if (ids.length === 0) return;
    await this.purge(await this.flows.dropVersion(ids, version, transaction), by, transaction);
  }

  /**
   * Deletes locked workflows of any class, and purges their data in a job. Workflows in versions of the experience
   * remain there.
   */
  async remove(ids: readonly string[], by: Author, transaction: Transaction): Promise<RemovedFlow[]> {
    if (ids.length === 0) return [];
    const removed = await this.flows.remove(ids, transaction);
    const gone = removed.filter(({ kept }) => !kept).map(({ flowId }) => flowId);
    await this.purge(gone, by, transaction);
    return removed;
  }

  private async purge(flowIds: readonly string[], by: Author, transaction: Transaction): Promise<void> {
    if (flowIds.length > 0) await this.jobs.enqueue(transaction, FLOW_PURGE, { flowIds }, by);
  }
}
