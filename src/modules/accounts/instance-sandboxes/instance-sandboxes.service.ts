import { Injectable } from '@nestjs/common';
import { writeEntry } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { meSummary } from '../../../platform/counts/summaries.js';
import { Database } from '../../../platform/database/database.js';
import { NotFound, ValidationError } from '../../../lib/errors/errors.js';
import type { SummaryQuery } from '../../../platform/lists/query-fields.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { AccountDeletionService } from '../users/account-deletion.service.js';
import { UsersRepository, type ConflictMessages } from '../users/users.repository.js';
import type { InstanceSandbox } from './instance-sandbox.resource.js';
import type { InstanceSandboxesQuery } from './instance-sandboxes.query.js';
import { InstanceSandboxesRepository } from './instance-sandboxes.repository.js';

/** Manages the users of an instance on behalf of its members. */
@Injectable()
export class InstanceSandboxesService {
  constructor(
    private readonly sandboxes: InstanceSandboxesRepository,
    private readonly users: UsersRepository,
    private readonly accounts: AccountDeletionService,
    private readonly database: Database,
  ) {}

  list(instanceId: string, query: InstanceSandboxesQuery): Promise<StoredPage<InstanceSandbox>> {
    if (query.startingAfterId !== undefined && query.endingBeforeId !== undefined)
      throw new ValidationError('endingBeforeId cannot be combined with startingAfterId');
    return this.sandboxes.page(instanceId, query, meSummary.choose(query));
  }

  get(instanceId: string, id: string, query: SummaryQuery): Promise<StoredResource<InstanceSandbox>> {
    return this.sandboxes.findOneOrFail(instanceId, id, meSummary.choose(query));
  }

  async delete(instanceId: string, userId: string, by: Author): Promise<Success> {
    if (by.caller.subject.id === userId)
      throw new ValidationError('instanceSandboxId is your own: ask another admin to delete it');
    await this.accounts.delete({ userId, instanceId, fieldPrefix: 'instanceSandboxId' }, by);
    return new Success();
  }

  /**
   * Restores the user with everything they had, unless the retention period has passed or unique values are now used by
   * others.
   */
  async undelete(
    instanceId: string,
    id: string,
    query: SummaryQuery,
    by: Author,
  ): Promise<StoredResource<InstanceSandbox>> {
    const summary = meSummary.choose(query);
    await this.database.transaction(async (transaction) => {
      const user = await this.users.lockKnown(instanceId, id, transaction);
      if (!user) throw new NotFound('Sandbox');
      if (!user.permanentDeletion) throw new ValidationError('instanceSandboxId is not deleted');
      if (!user.dataDeletion || user.dataDeletion.getTime() <= Date.now())
        throw new ValidationError('instanceSandboxId was deleted too long ago: the data is being removed');
      await this.users.set(
        id,
        { permanentDeletion: null, dataDeletion: null },
        transaction,
        CONFLICT_MESSAGES,
      );
      const primary = { type: 'User', id, name: user.email };
      await writeEntry(transaction.manager, by, { instance: { id: instanceId, primary }, response: { id } });
    });
    return this.sandboxes.findOneOrFail(instanceId, id, summary);
  }
}

const CONFLICT_MESSAGES: ConflictMessages = {
  users_email: 'instanceSandboxId cannot be restored: another user now has the email address',
  users_codehost:
    'instanceSandboxId cannot be restored: another user is now linked to the identity at the code-hosting provider',
};
