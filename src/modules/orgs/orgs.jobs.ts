import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { defineJob } from '../../platform/jobs/job-definition.js';
import { OnJob } from '../../platform/jobs/on-job.js';

/** Removes an organization that was deleted, with all that belonged to it. */
export const ORG_PURGE = defineJob<{ orgId: string }>('org.purge');

/** What is done for organizations after the request. */
@Injectable()
export class OrgsJobs {
  constructor(private readonly database: Database) {}

  /** Members and most of what belongs to an application go with the rows. */
  @OnJob(ORG_PURGE)
  async purge({ orgId }: { orgId: string }): Promise<void> {
    const text = `WITH purged AS (DELETE FROM orgs WHERE id = $1 AND deleted_at IS NOT NULL RETURNING id),
      owned AS (DELETE FROM applications WHERE owner_id IN (SELECT id FROM purged) RETURNING id)
      DELETE FROM api_tokens WHERE owner_id IN (SELECT id FROM owned)`;
    await this.database.run({ text, values: [orgId] });
  }
}
