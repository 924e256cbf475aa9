import { Injectable } from '@nestjs/common';
import { AccessCache } from '../../../platform/access/access-cache.js';
import type { ResourceRole } from '../../../platform/access/resource-roles.js';
import { writeEntry } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { NotFound, ValidationError } from '../../../lib/errors/errors.js';
import type { Role } from '../../../platform/operations/operation.js';
import { UsersRepository } from '../users/users.repository.js';
import { OrgInvitesRepository } from './org-invites.repository.js';
import { OrgMembersRepository } from './org-members.repository.js';
import type { Org } from './org.resource.js';
import { assertAllowedDomain, orgEntry } from './org.rules.js';
import { OrgsRepository } from './orgs.repository.js';

/** Roles of a member. In updates, omitted properties keep their value. */
export interface MemberRoles {
  role?: Role;
  applicationRoles?: ResourceRole[];
  dashboardRoles?: ResourceRole[];
}

/**
 * Members of organizations, with the rules that apply to every caller. Operations through the instance pass
 * `instanceId` and are also recorded in its audit log.
 */
@Injectable()
export class OrgMembersService {
  constructor(
    private readonly members: OrgMembersRepository,
    private readonly invites: OrgInvitesRepository,
    private readonly orgs: OrgsRepository,
    private readonly users: UsersRepository,
    private readonly database: Database,
    private readonly cache: AccessCache,
  ) {}

  /**
   * Adds a user of the organization's instance within a transaction, and invalidates an invitation to their address.
   * The caller writes the audit log entry. `ofAnyDomain` exempts the user from the domains of the organization. Returns
   * the locked organization.
   */
  async add(
    transaction: Transaction,
    orgId: string,
    { userId, ...roles }: MemberRoles & { userId: string; role: Role },
    ofAnyDomain = false,
  ): Promise<Org> {
    const org = await this.orgs.lock(orgId, transaction);
    const id = userId.toLowerCase();
    const user = await this.users.find({ id, instanceId: org.instanceId }, transaction);
    if (!user) throw new NotFound('User');
    if (!ofAnyDomain) assertAllowedDomain(org, user.email, 'member.email');
    if (await this.members.has(orgId, id, transaction))
      throw new ValidationError('member.userId is already a member');
    await this.invites.removeOfAddress(orgId, user.email, transaction);
    await this.members.assertWithinLimit(orgId, transaction);
    await this.members.add(orgId, id, roles, transaction);
    transaction.afterCommit(() => this.cache.evict(id));
    return org;
  }

  /**
   * Updates the roles of a member. Rejects demoting the last admin and, within the organization itself, changing one's
   * own roles.
   */
  async change(
    orgId: string,
    memberId: string,
    changes: MemberRoles,
    by: Author,
    instanceId?: string,
  ): Promise<void> {
    const userId = memberId.toLowerCase();
    if (instanceId === undefined && by.caller.subject.id === userId)
      throw new ValidationError('member.userId is your own: you cannot change your own roles');
    await this.database.transaction(async (transaction) => {
      const org = await this.orgs.lock(orgId, transaction);
      const member = await this.members.find(orgId, userId, transaction);
      const { role = member.role } = changes;
      if (member.role === 'admin' && role !== 'admin' && !(await this.isReplaced(member, transaction)))
        throw new ValidationError('member.role: the last admin cannot be given another role');
      const { applicationRoles = member.applicationRoles, dashboardRoles = member.dashboardRoles } = changes;
      await this.members.setRoles(orgId, userId, { role, applicationRoles, dashboardRoles }, transaction);
      await writeEntry(transaction.manager, by, orgEntry(org, userId, { instanceId }));
    });
    await this.cache.evict(userId);
  }

  /** Removes a member other than the last admin; the user remains. Returns the organization. */
  async remove(orgId: string, userId: string, by: Author, instanceId?: string): Promise<Org> {
    const left = await this.database.transaction(async (transaction) => {
      const org = await this.orgs.lock(orgId, transaction);
      const member = await this.members.find(orgId, userId, transaction);
      if (member.role === 'admin' && !(await this.isReplaced(member, transaction)))
        throw new ValidationError('userId is the last admin, who cannot be removed');
      await this.members.remove(orgId, userId, transaction);
      await writeEntry(transaction.manager, by, orgEntry(org, userId, { instanceId }));
      return org;
    });
    await this.cache.evict(userId);
    return left;
  }

  /** Whether there is another admin whose account is not deleted. */
  private isReplaced(admin: { orgId: string; userId: string }, transaction: Transaction): Promise<boolean> {
    return this.members.hasOtherAdmin(admin.orgId, admin.userId, transaction);
  }
}
