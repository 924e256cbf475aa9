import { Injectable } from '@nestjs/common';
import { AccessCache } from '../../../platform/access/access-cache.js';
import { writeEntry } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { Database } from '../../../platform/database/database.js';
import { NotFound, Unauthorized, ValidationError } from '../../../lib/errors/errors.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { USER_PURGE } from './users.jobs.js';
import { UsersRepository } from './users.repository.js';

const RETENTION_DAYS = 30;

/** Account to delete. */
export interface AccountToDelete {
  userId: string;
  /** Instance that the user must belong to, which records the deletion; absent if users delete themselves. */
  instanceId?: string;
  /** Prefix of error messages. */
  fieldPrefix: string;
}

/**
 * Deletes user accounts. A deleted user is inaccessible immediately, and their e-mail address becomes available. Their
 * data is kept for 30 days, during which the account can be restored.
 */
@Injectable()
export class AccountDeletionService {
  constructor(
    private readonly users: UsersRepository,
    private readonly database: Database,
    private readonly jobs: JobsService,
    private readonly cache: AccessCache,
  ) {}

  async delete({ userId, instanceId, fieldPrefix }: AccountToDelete, by: Author): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const user = await this.users.lockToDelete(userId, instanceId, transaction);
      if (!user) throw instanceId ? new NotFound('Sandbox') : new Unauthorized();
      const place = await this.users.soleAdminOf(userId, transaction);
      if (place)
        throw new ValidationError(
          `${fieldPrefix} is the last admin of the ${place.kind} ${JSON.stringify(place.name)}`,
        );
      const now = new Date();
      const dataDeletion = new Date(now.getTime() + RETENTION_DAYS * 24 * 3600_000);
      const marks = { permanentDeletion: now, dataDeletion, lastUpdated: now };
      await this.users.set(userId, marks, transaction);
      if (instanceId) {
        const primary = { type: 'User', id: userId, name: user.email };
        const entry = { instance: { id: instanceId, primary }, response: { id: userId } };
        await writeEntry(transaction.manager, by, entry);
      }
      await this.jobs.enqueue(transaction, USER_PURGE, { userId }, by, { dueAt: dataDeletion });
    });
    // Tokens of the applications in the user's sandbox become invalid too.
    await this.cache.evict(userId);
  }
}
