import { Injectable } from '@nestjs/common';
import { AccessCache } from '../../../platform/access/access-cache.js';
import type { Principal } from '../../../platform/access/principal.js';
import { canonicalDomain } from '../../../lib/mail/addresses.js';
import { writeEntry, type Entry } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { orgSummary } from '../../../platform/counts/summaries.js';
import type { Changes } from '../../../platform/database/changes.js';
import { Database } from '../../../platform/database/database.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { SummaryQuery } from '../../../platform/lists/query-fields.js';
import { newId } from '../../../platform/repositories/resource.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { InvitesService } from '../invites/invites.service.js';
import { OrgMembersService } from '../orgs/org-members.service.js';
import type { Org } from '../orgs/org.resource.js';
import { OrgsRepository } from '../orgs/orgs.repository.js';
import { isById, type InstanceOrgMemberById } from './instance-org-member.resource.js';
import type {
  InstanceOrg,
  InstanceOrgPatch,
  InstanceOrgPost,
  OrgOfInstance,
} from './instance-org.resource.js';
import type { InstanceOrgsQuery } from './instance-orgs.query.js';
import { InstanceOrgsRepository } from './instance-orgs.repository.js';

/** Organizations as managed through the instance: all of them, including properties hidden from members. */
@Injectable()
export class InstanceOrgsService {
  constructor(
    private readonly instanceOrgs: InstanceOrgsRepository,
    private readonly orgs: OrgsRepository,
    private readonly members: OrgMembersService,
    private readonly invites: InvitesService,
    private readonly database: Database,
    private readonly cache: AccessCache,
  ) {}

  /** Excludes organizations to which the cap of the caller's token denies access. */
  list(instanceId: string, query: InstanceOrgsQuery, caller: Principal): Promise<StoredPage<InstanceOrg>> {
    const capped = caller.cap?.orgRoles.map(({ orgId }) => orgId) ?? [];
    const hidden = capped.filter((orgId) => caller.roleInInstance(instanceId, orgId) === 'none');
    return this.instanceOrgs.page(instanceId, hidden, query.list, orgSummary.choose(query));
  }

  async create(
    instanceId: string,
    { members = [], ...post }: InstanceOrgPost,
    query: SummaryQuery,
    by: Author,
  ): Promise<StoredResource<Org>> {
    const summary = orgSummary.choose(query);
    const users = withAdmin(members.filter(isById), by.caller);
    const id = newId();
    await this.database.transaction(async (transaction) => {
      await this.orgs.add({ ...columnsOf(post), id, instanceId, name: post.name }, transaction);
      for (const member of users) {
        // The creator of an organization for other domains is rarely in one of them.
        const isCreator = member.userId.toLowerCase() === by.caller.subject.id;
        await this.members.add(transaction, id, member, isCreator);
      }
      for (const member of members)
        if (!isById(member)) await this.invites.inviteWithin(transaction, id, member, by, instanceId);
      await writeEntry(transaction.manager, by, entryOf(instanceId, id, post.name));
    });
    return this.orgs.obtain(id, summary);
  }

  get({ instanceId, orgId }: OrgOfInstance, query: SummaryQuery): Promise<StoredResource<InstanceOrg>> {
    return this.instanceOrgs.findOneOrFail(instanceId, orgId, orgSummary.choose(query));
  }

  /** Changes take effect immediately for every member and for the tokens of the organization's applications. */
  async patch(
    { instanceId, orgId }: OrgOfInstance,
    patch: InstanceOrgPatch,
    query: SummaryQuery,
    by: Author,
  ): Promise<StoredResource<InstanceOrg>> {
    const summary = orgSummary.choose(query);
    await this.database.transaction(async (transaction) => {
      const { name } = await this.orgs.lock(orgId, transaction);
      const entry = entryOf(instanceId, orgId, patch.name ?? name);
      const log = () => writeEntry(transaction.manager, by, entry);
      // The last entry of a log records that it was disabled.
      if (patch.auditLogEnabled === false) await log();
      await this.orgs.set(orgId, columnsOf(patch), transaction);
      if (patch.auditLogEnabled !== false) await log();
    });
    await this.cache.evict(orgId);
    return this.instanceOrgs.findOneOrFail(instanceId, orgId, summary);
  }
}

/** Returns the initial members. If none of them is an admin, adds the creator. */
function withAdmin(
  users: readonly InstanceOrgMemberById[],
  { subject }: Principal,
): readonly InstanceOrgMemberById[] {
  if (users.some(({ role }) => role === 'admin')) return users;
  const isListed = users.some(({ userId }) => userId.toLowerCase() === subject.id);
  if (subject.type !== 'user' || isListed)
    throw new ValidationError('organization.members must have an admin who is given by userId');
  return [{ userId: subject.id, role: 'admin' }, ...users];
}

/** Converts the given properties to columns. */
function columnsOf({ banner, disabledAt, whitelistedEmailDomains, ...rest }: InstanceOrgPatch): Changes<Org> {
  return {
    ...rest,
    ...(banner && { banner: Object.keys(banner).length ? banner : null }),
    ...(disabledAt !== undefined && { disabledAt: disabledAt === true ? new Date() : disabledAt || null }),
    ...(whitelistedEmailDomains && {
      whitelistedEmailDomains: whitelistedEmailDomains.map(parseDomain),
    }),
  };
}

function parseDomain(text: string, at: number): string {
  const domain = canonicalDomain(text);
  if (domain === undefined)
    throw new ValidationError(
      `organization.whitelistedEmailDomains.${at} must be an email domain such as example.com`,
    );
  return domain;
}

function entryOf(instanceId: string, id: string, name: string): Entry {
  const primary = { type: 'Organization', id, name };
  return { organization: { id }, instance: { id: instanceId, primary }, response: { id } };
}
