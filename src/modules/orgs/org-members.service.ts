import { Injectable } from '@nestjs/common';
import { IsNull, type EntityManager } from 'typeorm';
import { AccessCache } from '../../platform/access/access-cache.js';
import type { ResourceRole } from '../../platform/access/resource-roles.js';
import { writeEntry } from '../../platform/audit/audit.js';
import type { Author } from '../../platform/audit/author.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { NotFound, ValidationError } from '../../platform/errors/errors.js';
import { demandWithinLimit } from '../../platform/limits.js';
import type { Role } from '../../platform/operation.js';
import { User } from '../users/user.entity.js';
import { OrgInvite } from './org-invite.resource.js';
import { demandDomain, lockOrg, orgEntry, PLACES_TAKEN } from './locked-org.js';
import { OrgMember, type Org } from './org.resource.js';

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
    private readonly database: Database,
    private readonly cache: AccessCache,
  ) {}

  /**
   * Makes a user of the organization's instance a member, as part of a transaction, and voids an invitation of their
   * address. The caller writes the entry of the log. Returns the organization, locked.
   */
  async add(
    transaction: Transaction,
    orgId: string,
    member: MemberRoles & { userId: string; role: Role },
  ): Promise<Org> {
    const { manager } = transaction;
    const org = await lockOrg(manager, orgId);
    const userId = member.userId.toLowerCase();
    const user = await manager.findOneBy(User, {
      id: userId,
      instanceId: org.instanceId,
      permanentDeletion: IsNull(),
    });
    if (!user) throw new NotFound('User');
    demandDomain(org, user.email, 'member.email');
    if (await manager.existsBy(OrgMember, { orgId, userId }))
      throw new ValidationError('member.userId is a member already');
    await manager.delete(OrgInvite, { orgId, email: user.email });
    await demandWithinLimit(manager, { table: 'orgs', id: orgId }, 'member', PLACES_TAKEN);
    await manager.insert(OrgMember, {
      orgId,
      userId,
      role: member.role,
      applicationRoles: canonicalRoles(member.applicationRoles),
      dashboardRoles: canonicalRoles(member.dashboardRoles),
      creationDate: new Date(),
    });
    transaction.afterCommit(() => this.cache.drop(userId));
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
    await this.database.transaction(async ({ manager }) => {
      const org = await lockOrg(manager, orgId);
      const member = await memberOf(manager, orgId, userId);
      const { role = member.role } = changes;
      if (member.role === 'admin' && role !== 'admin')
        await demandOtherAdmin(manager, member, 'member.role: the last admin cannot be given another role');
      await manager.update(
        OrgMember,
        { orgId, userId },
        {
          role,
          applicationRoles: canonicalRoles(changes.applicationRoles ?? member.applicationRoles),
          dashboardRoles: canonicalRoles(changes.dashboardRoles ?? member.dashboardRoles),
        },
      );
      await writeEntry(manager, by, orgEntry(org, userId, { instanceId }));
    });
    await this.cache.drop(userId);
  }

  /** Removes a member, but not the last admin. The user stays. Returns the organization that they were in. */
  async remove(orgId: string, userId: string, by: Author, instanceId?: string): Promise<Org> {
    const left = await this.database.transaction(async ({ manager }) => {
      const org = await lockOrg(manager, orgId);
      const member = await memberOf(manager, orgId, userId);
      if (member.role === 'admin')
        await demandOtherAdmin(manager, member, 'userId is the last admin, who cannot be removed');
      await manager.delete(OrgMember, { orgId, userId });
      await writeEntry(manager, by, orgEntry(org, userId, { instanceId }));
      return org;
    });
    await this.cache.drop(userId);
    return left;
  }
}

/** Ids may be written in upper case; a role that was looked up by them as written would not hold. */
export function canonicalRoles(roles: readonly ResourceRole[] = []): ResourceRole[] {
  return roles.map(({ resourceId, role }) => ({ resourceId: resourceId.toLowerCase(), role }));
}

async function memberOf(manager: EntityManager, orgId: string, userId: string): Promise<OrgMember> {
  const exists = await manager.existsBy(User, { id: userId, permanentDeletion: IsNull() });
  const member = exists && (await manager.findOneBy(OrgMember, { orgId, userId }));
  if (!member) throw new NotFound('Member');
  return member;
}

/** Throws 400 unless another admin is left whose account is not deleted. */
async function demandOtherAdmin(
  manager: EntityManager,
  { orgId, userId }: OrgMember,
  message: string,
): Promise<void> {
  const [other] = await manager.query<unknown[]>(
    `SELECT 1 FROM org_members m JOIN users u ON u.id = m.user_id AND u.permanent_deletion IS NULL
     WHERE m.org_id = $1 AND m.role = 'admin' AND m.user_id <> $2 LIMIT 1`,
    [orgId, userId],
  );
  if (!other) throw new ValidationError(message);
}
