import { Injectable } from '@nestjs/common';
import { Removal, type OwnedRows } from '../../../platform/holdings/removal.js';
import { defineJob, PURGE } from '../../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../../platform/jobs/on-job.js';
import { OrgsRepository } from './orgs.repository.js';

/** Removes a deleted organization with everything in it. */
export const ORG_PURGE = defineJob<{ orgId: string }>('org.purge', PURGE);

const ROWS: readonly OwnedRows[] = [
  { table: 'audit_logs', column: 'org_id' },
  { table: 'org_invites', column: 'org_id' },
  { table: 'org_members', column: 'org_id' },
  { table: 'orgs', column: 'id' },
];

/** Background work for organizations. */
@Injectable()
export class OrgsJobs {
  constructor(
    private readonly orgs: OrgsRepository,
    private readonly removal: Removal,
  ) {}

  @OnJob(ORG_PURGE)
  async purge({ orgId }: { orgId: string }, { signal }: JobContext): Promise<void> {
    if (!(await this.orgs.isRemoved(orgId))) return;
    await this.removal.applicationsOf(orgId, signal);
    for (const rows of ROWS) await this.removal.rows(rows, orgId, signal);
  }
}
