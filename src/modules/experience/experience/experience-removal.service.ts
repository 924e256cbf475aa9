import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { writeEntry } from '../../../platform/audit/audit.js';
import { JobAuthor, type Author, type AuthorSnapshot } from '../../../platform/audit/author.js';
import { Database, type Transaction, type QueuedTransaction } from '../../../platform/database/database.js';
import { Removal } from '../../../platform/holdings/removal.js';
import { defineJob, PURGE } from '../../../platform/jobs/job-definition.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { OnJob, type JobContext } from '../../../platform/jobs/on-job.js';
import { SiteChanges } from '../../../platform/sites/site-changes.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ExperienceGroupsRepository } from '../experience-groups/experience-groups.repository.js';
import { ExperienceSlugsRepository } from '../experience-slugs/experience-slugs.repository.js';
import { ExperienceFlowsService } from '../../flows/flows/experience-flows.service.js';
import type { ExperienceDeleteQuery } from './experience.query.js';
import { ExperienceRepository, PLAIN_PARTS, type PlainPart } from './experience.repository.js';

/** Parts of an experience, in the order of their deletion. */
const PARTS = ['workflows', 'endpoints', 'views', 'groups', 'users', 'slugs', 'domains', 'versions'] as const;
type Part = (typeof PARTS)[number];

/** If there are more resources than this, a job deletes them in batches. */
const MAX_SYNC_RESOURCES = 5_000;

/** Deletes parts of an experience. A retry resumes the previous attempt. */
export const EXPERIENCE_REMOVAL = defineJob<{ applicationId: string; parts: Part[]; by: AuthorSnapshot }>(
  'experience.delete',
  {
    ...PURGE,
    log: ({ applicationId }) => ({
      applicationId,
      operation: 'experience.delete',
      resourceType: 'application',
      resourceId: applicationId,
    }),
  },
);

/** Deletes experiences or parts of them. */
@Injectable()
export class ExperienceRemovalService {
  constructor(
    private readonly rows: ExperienceRepository,
    private readonly groups: ExperienceGroupsRepository,
    private readonly slugs: ExperienceSlugsRepository,
    private readonly flows: ExperienceFlowsService,
    private readonly removal: Removal,
    private readonly database: Database,
    private readonly jobs: JobsService,
    private readonly changes: SiteChanges,
  ) {}

  async delete(application: ApplicationAccess, query: ExperienceDeleteQuery, by: Author): Promise<Success> {
    const { id: applicationId, ownerId, ownerType } = application;
    const parts = partsOf(query);
    const isLarge = (await this.rows.size(applicationId)) > MAX_SYNC_RESOURCES;
    await this.database.queuedTransaction(applicationId, async (transaction) => {
      if (ownerType === 'organization') {
        const name = await this.rows.nameOf(applicationId, transaction);
        const primary = { type: 'Application', id: applicationId, name };
        await writeEntry(transaction.manager, by, { organization: { id: ownerId, primary } });
      }
      if (!isLarge) await this.remove(applicationId, parts, by, transaction);
      else
        await this.jobs.enqueue(
          transaction,
          EXPERIENCE_REMOVAL,
          { applicationId, parts, by: by.snapshot() },
          by,
        );
    });
    return new Success();
  }

  @OnJob(EXPERIENCE_REMOVAL)
  async run(
    { applicationId, parts, by }: { applicationId: string; parts: Part[]; by: AuthorSnapshot },
    { signal }: JobContext,
  ): Promise<void> {
    for (const part of parts.filter(isPlain)) {
      const { table } = PLAIN_PARTS[part];
      await this.removal.rows({ table, column: 'application_id' }, applicationId, signal);
    }
    await this.database.jobTransaction((transaction) =>
      this.remove(applicationId, parts, new JobAuthor(by), transaction),
    );
    await this.changes.announce({ kind: 'application', id: applicationId });
  }

  private async remove(
    applicationId: string,
    parts: readonly Part[],
    by: Author,
    transaction: QueuedTransaction,
  ): Promise<void> {
    for (const part of parts) {
      if (part === 'groups') await this.groups.lockTree(applicationId, transaction);
      if (part === 'slugs') await this.removeSlugs(applicationId, transaction);
      else if (isPlain(part)) await this.rows.dropAll(applicationId, part, transaction);
      else if (part === 'workflows')
        await this.flows.clearDevelop(applicationId, { except: '', by }, transaction);
      else await this.removeVersions(applicationId, by, transaction);
    }
  }

  private async removeSlugs(applicationId: string, transaction: Transaction): Promise<void> {
    await this.slugs.lockApplication(applicationId, transaction);
    await this.rows.dropSlugs(applicationId, transaction);
  }

  private async removeVersions(applicationId: string, by: Author, transaction: Transaction): Promise<void> {
    const versions = await this.rows.lockVersions(applicationId, transaction);
    const ids = versions.map(({ id }) => id);
    await this.rows.dropVersions(applicationId, ids, transaction);
    for (const { version } of versions) await this.flows.dropVersion(applicationId, version, by, transaction);
  }
}

const isPlain = (part: Part): part is PlainPart => part in PLAIN_PARTS;

/** Returns the parts to delete. */
function partsOf(query: ExperienceDeleteQuery): Part[] {
  const stays: Readonly<Record<Part, boolean>> = {
    workflows: !query.removeWorkflows,
    endpoints: query.keepEndpoints,
    views: query.keepViews,
    groups: query.keepGroups,
    users: query.keepUsers,
    slugs: query.keepSlugs,
    domains: query.keepDomains,
    versions: !query.removeVersions,
  };
  return PARTS.filter((part) => !stays[part]);
}
