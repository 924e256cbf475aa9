import { Injectable } from '@nestjs/common';
import { Removal, type OwnedRows } from '../../../platform/holdings/removal.js';
import { defineJob, PURGE } from '../../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../../platform/jobs/on-job.js';
import { UsersRepository } from './users.repository.js';

/** Removes a deleted user with everything that belongs to them, after the retention period. */
export const USER_PURGE = defineJob<{ userId: string }>('user.purge', PURGE);

const ROWS: readonly OwnedRows[] = [
  { table: 'api_tokens', column: 'owner_id' },
  { table: 'recent_items', column: 'user_id' },
  { table: 'org_members', column: 'user_id' },
  { table: 'instance_members', column: 'user_id' },
  { table: 'users', column: 'id' },
];

/** Background work for users. */
@Injectable()
export class UsersJobs {
  constructor(
    private readonly users: UsersRepository,
    private readonly removal: Removal,
  ) {}

  /** Skips users who have been restored, or who were deleted again and are still within the retention period. */
  @OnJob(USER_PURGE)
  async purge({ userId }: { userId: string }, { signal }: JobContext): Promise<void> {
    if (!(await this.users.isOver(userId))) return;
    await this.removal.applicationsOf(userId, signal);
    for (const rows of ROWS) await this.removal.rows(rows, userId, signal);
  }
}
