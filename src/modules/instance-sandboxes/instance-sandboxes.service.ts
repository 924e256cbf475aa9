import { Injectable } from '@nestjs/common';
import { writeEntry } from '../../platform/audit/audit.js';
import type { Author } from '../../platform/audit/author.js';
import { meSummary } from '../../platform/counts/summaries.js';
import { Database, violatedUnique } from '../../platform/database/database.js';
import { NotFound, ValidationError } from '../../platform/errors/errors.js';
import type { SummaryQuery } from '../../platform/list/query-fields.js';
import type { Stored, StoredPage } from '../../platform/response/answers.js';
import { Success } from '../../platform/shared.schemas.js';
import { AccountDeletionService } from '../users/account-deletion.service.js';
import { User } from '../users/user.entity.js';
import type { InstanceSandbox } from './instance-sandbox.resource.js';
import type { InstanceSandboxesQuery } from './instance-sandboxes.query.js';
import { InstanceSandboxesRepository } from './instance-sandboxes.repository.js';

/** The users of an instance, for those who run it. */
@Injectable()
export class InstanceSandboxesService {
  constructor(
    private readonly sandboxes: InstanceSandboxesRepository,
    private readonly accounts: AccountDeletionService,
    private readonly database: Database,
  ) {}

  list(instanceId: string, query: InstanceSandboxesQuery): Promise<StoredPage<InstanceSandbox>> {
    if (query.startingAfterId !== undefined && query.endingBeforeId !== undefined)
      throw new ValidationError('endingBeforeId cannot be given together with startingAfterId');
    return this.sandboxes.page(instanceId, query, meSummary.choose(query));
  }

  get(instanceId: string, id: string, query: SummaryQuery): Promise<Stored<InstanceSandbox>> {
    return this.sandboxes.obtain(instanceId, id, meSummary.choose(query));
  }

  async delete(instanceId: string, userId: string, by: Author): Promise<Success> {
    if (by.caller.subject.id === userId)
      throw new ValidationError('instanceSandboxId is your own: another admin has to delete you');
    await this.accounts.delete({ userId, instanceId, at: 'instanceSandboxId' }, by);
    return new Success();
  }

  /** The user is there again with all that they had, unless their time is over or others took what was theirs alone. */
  async undelete(
    instanceId: string,
    id: string,
    query: SummaryQuery,
    by: Author,
  ): Promise<Stored<InstanceSandbox>> {
    const summary = meSummary.choose(query);
    await this.database
      .transaction(async ({ manager }) => {
        const user = await manager.findOne(User, {
          where: { instanceId, id },
          lock: { mode: 'for_no_key_update' },
        });
        if (!user) throw new NotFound('Sandbox');
        if (!user.permanentDeletion) throw new ValidationError('instanceSandboxId is not deleted');
        if (!user.dataDeletion || user.dataDeletion.getTime() <= Date.now())
          throw new ValidationError('instanceSandboxId was deleted too long ago: the data is being removed');
        const marks = { permanentDeletion: null, dataDeletion: null, lastUpdated: new Date() };
        await manager.update(User, { id }, marks);
        const primary = { type: 'User', id, name: user.email };
        await writeEntry(manager, by, { instance: { id: instanceId, primary }, response: { id } });
      })
      .catch((error: unknown) => {
        const taken = TAKEN[violatedUnique(error) ?? ''];
        throw taken ? new ValidationError(`instanceSandboxId cannot come back: ${taken}`) : error;
      });
    return this.sandboxes.obtain(instanceId, id, summary);
  }
}

const TAKEN: Readonly<Record<string, string>> = {
  users_email: 'another user has the e-mail address by now',
  users_codehost: 'another user is linked to the identity at the code-hosting provider by now',
};
