import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../platform/access/principal.js';
import { Permissions } from '../../../platform/access/permissions.js';
import { writeEntry } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { Database } from '../../../platform/database/database.js';
import { Unauthorized, ValidationError } from '../../../lib/errors/errors.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import type { SummaryQuery } from '../../../platform/lists/query-fields.js';
import { newId } from '../../../platform/repositories/resource.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { AccessCache } from '../../../platform/access/access-cache.js';
import type { MfaMode } from '../../../platform/access/mfa-modes.js';
import { orgSummary } from '../../../platform/counts/summaries.js';
import { UsersRepository } from '../users/users.repository.js';
import { OrgMembersRepository } from './org-members.repository.js';
import { OrgMembersService } from './org-members.service.js';
import type { Org, OrgMemberPatch, OrgPatch, OrgPost } from './org.resource.js';
import { ORG_PURGE } from './orgs.jobs.js';
import type { OrgsQuery } from './orgs.query.js';
import { OrgsRepository } from './orgs.repository.js';

/** Creates, lists, updates and deletes organizations. */
@Injectable()
export class OrgsService {
  constructor(
    private readonly orgs: OrgsRepository,
    private readonly members: OrgMembersService,
    private readonly memberRows: OrgMembersRepository,
    private readonly users: UsersRepository,
    private readonly database: Database,
    private readonly jobs: JobsService,
    private readonly cache: AccessCache,
    private readonly permissions: Permissions,
  ) {}

  list(caller: Principal, query: OrgsQuery): Promise<StoredPage<Org>> {
    return this.orgs.page(caller, query.list, orgSummary.choose(query));
  }

  /**
   * Adds the creator as the only member, with the role admin. The change is the first entry of its audit log and also
   * recorded in that of its instance.
   */
  async create(
    { cardToken: _unused, ...post }: OrgPost,
    query: SummaryQuery,
    by: Author,
  ): Promise<StoredResource<Org>> {
    const { caller } = by;
    caller.assertUncapped();
    const summary = orgSummary.choose(query);
    const id = newId();
    await this.assertNoLockout(caller, post.mfaMode);
    await this.database.transaction(async (transaction) => {
      // Prevents a concurrent deletion of the creator, which would leave the organization without an admin.
      const creator = await this.users.lockAgainstDeletion(caller.userId, transaction);
      if (!creator) throw new Unauthorized();
      const { instanceId } = creator;
      await this.orgs.add({ id, instanceId, ...post }, transaction);
      await this.memberRows.add(id, caller.userId, { role: 'admin' }, transaction);
      const primary = { type: 'Organization', id, name: post.name };
      await writeEntry(transaction.manager, by, {
        organization: { id },
        instance: { id: instanceId, primary },
        response: { id },
      });
    });
    await this.cache.evict(caller.userId);
    return this.orgs.obtain(id, summary);
  }

  get(id: string, query: SummaryQuery): Promise<StoredResource<Org>> {
    return this.orgs.obtain(id, orgSummary.choose(query), { whole: true });
  }

  /** A change of `mfaMode` takes effect for every member immediately. */
  async patch(
    id: string,
    { cardToken: _unused, ...patch }: OrgPatch,
    query: SummaryQuery,
    by: Author,
  ): Promise<StoredResource<Org>> {
    const summary = orgSummary.choose(query);
    await this.assertNoLockout(by.caller, patch.mfaMode);
    const changed = await this.orgs.change(id, patch, summary, by);
    if (patch.mfaMode !== undefined) await this.cache.evict(id);
    return changed;
  }

  async changeMember(
    id: string,
    { userId, ...roles }: OrgMemberPatch,
    query: SummaryQuery,
    by: Author,
  ): Promise<StoredResource<Org>> {
    const summary = orgSummary.choose(query);
    await this.members.change(id, userId, roles, by);
    return this.orgs.obtain(id, summary);
  }

  /**
   * Admins can remove others. Members who leave need no role, so they receive no more than the identity of the
   * organization.
   */
  async removeMember(
    id: string,
    { userId, ...query }: SummaryQuery & { userId: string },
    by: Author,
  ): Promise<StoredResource<Org> | Partial<Org>> {
    const summary = orgSummary.choose(query);
    const leaves = by.caller.subject.id === userId;
    const membership = await this.permissions.membership(by.caller, id);
    if (leaves) by.caller.assertMembership(id, membership);
    else by.caller.assertRoleInOrganization(id, 'admin', membership);
    const { name, creationDate, lastUpdated, isReadOnly, disabledAt } = await this.members.remove(
      id,
      userId,
      by,
    );
    if (!leaves) return this.orgs.obtain(id, summary);
    return {
      id,
      orgId: id,
      creationDate,
      lastUpdated,
      name,
      isReadOnly,
      disabledAt: disabledAt ?? false,
      members: [],
      summary: {},
    };
  }

  /**
   * Makes the organization and its audit log inaccessible to every member and application immediately. The log of the
   * instance records the deletion.
   */
  async delete(id: string, by: Author): Promise<Success> {
    await this.database.transaction(async (transaction) => {
      const { name, instanceId } = await this.orgs.lock(id, transaction);
      await this.orgs.remove(id, transaction);
      const primary = { type: 'Organization', id, name };
      await writeEntry(transaction.manager, by, { instance: { id: instanceId, primary }, response: { id } });
      await this.jobs.enqueue(transaction, ORG_PURGE, { orgId: id }, by);
    });
    await this.cache.evict(id);
    return new Success();
  }

  /** An admin without two-factor authentication who requires it of admins would lose access. */
  private async assertNoLockout({ userId }: Principal, mfaMode: MfaMode = 'notRequired'): Promise<void> {
    if (mfaMode !== 'notRequired' && !(await this.permissions.hasSecondFactor(userId)))
      throw new ValidationError(
        'organization.mfaMode requires two-factor authentication: enable it for yourself first',
      );
  }
}
