import { Injectable } from '@nestjs/common';
import { Removal, type OwnedRows } from '../../../platform/holdings/removal.js';
import { defineJob, PURGE } from '../../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../../platform/jobs/on-job.js';
import { UsersRepository } from './users.repository.js';

/** Removes a user who was deleted, with all that is theirs, when the time to take that back is over. */
export const USER_PURGE = defineJob<{ userId: string }>('user.purge', PURGE);

const ROWS: readonly OwnedRows[] = [
  { table: 'api_tokens', column: 'owner_id' },
  { table: 'recent_items', column: 'user_id' },
  { table: 'org_members', column: 'user_id' },
  { table: 'instance_members', column: 'user_id' },
  { table: 'users', column: 'id' },
];

/** What is done for users after the request. */
@Injectable()
export class UsersJobs {
  constructor(
    private readonly users: UsersRepository,
    private readonly removal: Removal,
  ) {}

  /** Nothing happens to a user who is there again, or was deleted anew and has time left. */
  @OnJob(USER_PURGE)
  async purge({ userId }: { userId: string }, { signal }: JobContext): Promise<void> {
    if (!(await this.users.isOver(userId))) return;
    await this.removal.applicationsOf(userId, signal);
    for (const rows of ROWS) await this.removal.rows(rows, userId, signal);
  }
}
