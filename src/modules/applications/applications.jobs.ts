import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { defineJob } from '../../platform/jobs/job-definition.js';
import { OnJob } from '../../platform/jobs/on-job.js';

/** Removes an application that was deleted, with all that belonged to it. */
export const APPLICATION_PURGE = defineJob<{ applicationId: string }>('application.purge');

/** What is done for applications after the request. */
@Injectable()
export class ApplicationsJobs {
  constructor(private readonly database: Database) {}

  /** Most of what belongs to an application goes with its row. */
  @OnJob(APPLICATION_PURGE)
  async purge({ applicationId }: { applicationId: string }): Promise<void> {
    const text = `WITH purged AS (DELETE FROM applications WHERE id = $1 AND deleted_at IS NOT NULL RETURNING id)
      DELETE FROM api_tokens WHERE owner_id IN (SELECT id FROM purged)`;
    await this.database.run({ text, values: [applicationId] });
  }
}
