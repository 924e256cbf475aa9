import { Injectable } from '@nestjs/common';
import { writeEntry } from '../../platform/audit/audit.js';
import type { Author } from '../../platform/audit/author.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { RowShape } from '../../platform/database/row-shape.js';
import { prepared } from '../../platform/database/statements.js';
import { NotFound } from '../../platform/errors/errors.js';
import type { ListParameters } from '../../platform/list/list-query.js';
import { runWholeList } from '../../platform/list/run-list.js';
import { Stored, StoredPage } from '../../platform/response/answers.js';
import { Success } from '../../platform/shared.schemas.js';
import { lockOrg, orgEntry, userOf } from '../orgs/locked-org.js';
import { OrgMembersService } from '../orgs/org-members.service.js';
import {
  InstanceOrgMember,
  isById,
  type InstanceOrgMemberPatch,
  type InstanceOrgMemberPost,
} from './instance-org-member.resource.js';

const MEMBERS = `(SELECT u.id, m.org_id, o.instance_id, u.email, u.first_name, u.last_name, m.role::text AS role,
    u.two_factor_key IS NOT NULL AS has_two_factor, u.sso_linked
  FROM org_members m JOIN orgs o ON o.id = m.org_id
  JOIN users u ON u.id = m.user_id AND u.permanent_deletion IS NULL)`;
const SHAPE = new RowShape<InstanceOrgMember>(InstanceOrgMember, [
  { property: 'instanceId', kind: 'plain', sql: 't.instance_id' },
  { property: 'orgId', kind: 'plain', sql: 't.org_id' },
  { property: 'userId', kind: 'plain', sql: 't.id' },
  { property: 'email', kind: 'text', sql: 't.email' },
  { property: 'firstName', kind: 'text', sql: 't.first_name' },
  { property: 'lastName', kind: 'text', sql: 't.last_name' },
  { property: 'role', kind: 'plain', sql: 't.role' },
  { property: 'twoFactorAuthEnabled', kind: 'boolean', sql: 't.has_two_factor' },
  { property: 'ssoLinked', kind: 'boolean', sql: 't.sso_linked' },
]);

/** An organization as its instance runs it. */
export interface OrgOfInstance {
  instanceId: string;
  orgId: string;
}

/** Members of organizations, for those who run the instance. The rules about them are those of `OrgMembersService`. */
@Injectable()
export class InstanceOrgMembersService {
  constructor(
    private readonly database: Database,
    private readonly members: OrgMembersService,
  ) {}

  async list(
    { instanceId, orgId }: OrgOfInstance,
    list: ListParameters,
  ): Promise<StoredPage<InstanceOrgMember>> {
    const { items, envelope } = await runWholeList(this.database, SHAPE, {
      table: MEMBERS,
      where: ['t.org_id = $1'],
      values: [orgId],
      list,
    });
    return new StoredPage(items, { ...envelope, instanceId, orgId });
  }

  async get(orgId: string, userId: string): Promise<Stored<InstanceOrgMember>> {
    const text = SHAPE.select(`FROM ${MEMBERS} t WHERE t.org_id = $1 AND t.id = $2`);
    const [row] = await this.database.run(prepared(text, [orgId, userId]));
    if (!row) throw new NotFound('Member');
    return new Stored(SHAPE, row);
  }

  async add(
    { instanceId, orgId }: OrgOfInstance,
    post: InstanceOrgMemberPost,
    by: Author,
  ): Promise<Stored<InstanceOrgMember>> {
    const userId = await this.database.transaction(async (transaction) => {
      const id = await userIdOf(transaction, orgId, post);
      const org = await this.members.add(transaction, orgId, { ...post, userId: id });
      await writeEntry(transaction.manager, by, orgEntry(org, id, { instanceId }));
      return id;
    });
    return this.get(orgId, userId);
  }

  async change(
    { instanceId, orgId }: OrgOfInstance,
    userId: string,
    patch: InstanceOrgMemberPatch,
    by: Author,
  ): Promise<Stored<InstanceOrgMember>> {
    await this.members.change(orgId, userId, patch, by, instanceId);
    return this.get(orgId, userId);
  }

  async remove({ instanceId, orgId }: OrgOfInstance, userId: string, by: Author): Promise<Success> {
    await this.members.remove(orgId, userId, by, instanceId);
    return new Success();
  }
}

/** Whoever has the address must have shown that it is theirs: nobody else may come to a place that is meant for them. */
async function userIdOf(
  { manager }: Transaction,
  orgId: string,
  post: InstanceOrgMemberPost,
): Promise<string> {
  if (isById(post)) return post.userId.toLowerCase();
  const user = await userOf(manager, await lockOrg(manager, orgId), post.email);
  if (!user) throw new NotFound('User');
  return user.id;
}
