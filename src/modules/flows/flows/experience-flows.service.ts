import { Injectable } from '@nestjs/common';
import type { Author } from '../../../platform/audit/author.js';
import type { Transaction } from '../../../platform/database/database.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { ExperienceFlowsRepository, type RemovedFlow } from './experience-flows.repository.js';
import { FLOW_PURGE } from './flows.jobs.js';

/** Workflows of class experience, as those who own versions of the experience change them. */
@Injectable()
export class ExperienceFlowsService {
  constructor(
    private readonly flows: ExperienceFlowsRepository,
    private readonly jobs: JobsService,
  ) {}

  /** Whether versions of the experience have a workflow that is locked. */
  isKept(id: string, transaction: Transaction): Promise<boolean> {
    return this.flows.isKept(id, transaction);
  }

  /** Removes what is being developed, but for what the version has that is named; no version is named like an empty text. */
  async clearDevelop(
    applicationId: string,
    { but, by }: { but: string; by: Author },
    transaction: Transaction,
  ): Promise<void> {
    const ids = await this.flows.lockOthers(applicationId, but, transaction);
    await this.remove(ids, by, transaction);
  }

  /** Forgets what a version of the experience keeps; a workflow that was deleted goes with the last version that has it. */
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

  /** Removes workflows of any class that are locked, and what they hold after the request; one that a version of the experience has stays in it. */
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
