import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { ResourceRole } from '../../../platform/access/resource-roles.js';
import type { Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound } from '../../../lib/errors/errors.js';
import { assertWithinLimit } from '../../../platform/holdings/limits.js';
import type { Role } from '../../../platform/operations/operation.js';
import { USED_SEATS } from './org.columns.js';
import { OrgMember } from './org.resource.js';
import { canonicalRoles } from './org.rules.js';

/** Members whose accounts are not deleted. */
const MEMBERS = 'FROM org_members m JOIN users u ON u.id = m.user_id AND u.permanent_deletion IS NULL';
const IS_PRESENT = `SELECT ${MEMBERS} WHERE m.org_id = $1 AND m.user_id = $2`;
const OTHER_ADMINS = `SELECT ${MEMBERS} WHERE m.org_id = $1 AND m.role = 'admin' AND m.user_id <> $2 LIMIT 1`;
const BY_ADDRESS = `SELECT ${MEMBERS} WHERE m.org_id = $1 AND u.email = $2`;

/** Roles of a member in an organization and on individual resources in it. */
export interface Roles {
  role: Role;
  applicationRoles?: readonly ResourceRole[];
  dashboardRoles?: readonly ResourceRole[];
}

/** Repository of the members of organizations. Callers that write must hold the lock of the organization. */
@Injectable()
export class OrgMembersRepository {
  constructor(@InjectRepository(OrgMember) private readonly rows: Repository<OrgMember>) {}

  /** Returns the member. Throws 404 if the user is not a member or their account is deleted. */
  async find(orgId: string, userId: string, transaction: Transaction): Promise<OrgMember> {
    const isPresent = (await transaction.run(prepared(IS_PRESENT, [orgId, userId]))).length > 0;
    const member = isPresent && (await this.within(transaction).findOneBy({ orgId, userId }));
    if (!member) throw new NotFound('Member');
    return member;
  }

  has(orgId: string, userId: string, transaction: Transaction): Promise<boolean> {
    return this.within(transaction).existsBy({ orgId, userId });
  }

  /** Whether a member has this e-mail address. */
  async hasAddress(orgId: string, email: string, transaction: Transaction): Promise<boolean> {
    return (await transaction.run(prepared(BY_ADDRESS, [orgId, email]))).length > 0;
  }

  /** Whether the organization has an admin other than the user. */
  async hasOtherAdmin(orgId: string, userId: string, transaction: Transaction): Promise<boolean> {
    return (await transaction.run(prepared(OTHER_ADMINS, [orgId, userId]))).length > 0;
  }

  /** Throws 400 if the organization has reached its limit of members and open invitations. */
  assertWithinLimit(orgId: string, { manager }: Transaction): Promise<void> {
    return assertWithinLimit(manager, { table: 'orgs', id: orgId }, 'member', USED_SEATS);
  }

  async add(orgId: string, userId: string, roles: Roles, transaction: Transaction): Promise<void> {
    const row = { orgId, userId, ...columnsOf(roles), creationDate: new Date() };
    await this.within(transaction).insert(row);
  }

  async setRoles(
    orgId: string,
    userId: string,
    roles: Required<Roles>,
    transaction: Transaction,
  ): Promise<void> {
    await this.within(transaction).update({ orgId, userId }, columnsOf(roles));
  }

  async remove(orgId: string, userId: string, transaction: Transaction): Promise<void> {
    await this.within(transaction).delete({ orgId, userId });
  }

  private within({ manager }: Transaction): Repository<OrgMember> {
    return manager.withRepository(this.rows);
  }
}

const columnsOf = ({ role, applicationRoles, dashboardRoles }: Roles) => ({
  role,
  applicationRoles: canonicalRoles(applicationRoles),
  dashboardRoles: canonicalRoles(dashboardRoles),
});
