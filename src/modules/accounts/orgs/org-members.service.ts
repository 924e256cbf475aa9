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
import { demandDomain, orgEntry } from './org.rules.js';
import { OrgsRepository } from './orgs.repository.js';

/** The roles of a member; what is absent in a change stays as it is. */
export interface MemberRoles {
  role?: Role;
  applicationRoles?: ResourceRole[];
  dashboardRoles?: ResourceRole[];
}

/**
 * Members of organizations, with the rules about them that hold for everyone. A change through the instance names it by
 * `instanceId`: its log then tells of the change too.
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
   * Makes a user of the organization's instance a member, as part of a transaction, and voids an invitation of their
   * address. The caller writes the entry of the log. `ofAnyDomain` is for somebody whom the organization's domains do not
   * bind. Returns the organization, locked.
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
    if (!ofAnyDomain) demandDomain(org, user.email, 'member.email');
    if (await this.members.has(orgId, id, transaction))
      throw new ValidationError('member.userId is a member already');
    await this.invites.removeOfAddress(orgId, user.email, transaction);
    await this.members.demandRoom(orgId, transaction);
    await this.members.add(orgId, id, roles, transaction);
    transaction.afterCommit(() => this.cache.drop(id));
    return org;
  }

  /** Changes a member's roles, but not the last admin's to something else, and in the organization itself not one's own. */
  async change(
    orgId: string,
    memberId: string,
    changes: MemberRoles,
    by: Author,
    instanceId?: string,
  ): Promise<void> {
    const userId = memberId.toLowerCase();
    if (instanceId === undefined && by.caller.subject.id === userId)
      throw new ValidationError('member.userId is you: nobody changes their own roles');
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
    await this.cache.drop(userId);
  }

  /** Removes a member, but not the last admin. The user stays. Returns the organization that they were in. */
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
    await this.cache.drop(userId);
    return left;
  }

  /** Whether another admin is left whose account is not deleted. */
  private isReplaced(admin: { orgId: string; userId: string }, transaction: Transaction): Promise<boolean> {
    return this.members.hasOtherAdmin(admin.orgId, admin.userId, transaction);
  }
}
