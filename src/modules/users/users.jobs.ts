import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { defineJob } from '../../platform/jobs/job-definition.js';
import { OnJob } from '../../platform/jobs/on-job.js';

/** Removes a user who was deleted, with all that is theirs, when the time to take that back is over. */
export const USER_PURGE = defineJob<{ userId: string }>('user.purge');

/** What is done for users after the request. */
@Injectable()
export class UsersJobs {
  constructor(private readonly database: Database) {}

  /**
   * Nothing happens to a user who is there again, or was deleted anew and has time left. Memberships and recent items go
   * with the row.
   */
  @OnJob(USER_PURGE)
  async purge({ userId }: { userId: string }): Promise<void> {
    const text = `WITH purged AS (DELETE FROM users WHERE id = $1 AND data_deletion <= now() RETURNING id),
      owned AS (DELETE FROM applications WHERE owner_id IN (SELECT id FROM purged) RETURNING id)
      DELETE FROM api_tokens WHERE owner_id IN (SELECT id FROM owned UNION ALL SELECT id FROM purged)`;
    await this.database.run({ text, values: [userId] });
  }
}
