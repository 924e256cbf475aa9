import { Injectable } from '@nestjs/common';
import { parseAddress } from '../../../lib/mail/addresses.js';
import { writeEntry } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { NotFound } from '../../../lib/errors/errors.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { OrgMembersService } from '../orgs/org-members.service.js';
import { orgEntry } from '../orgs/org.rules.js';
import { OrgsRepository } from '../orgs/orgs.repository.js';
import { UsersRepository } from '../users/users.repository.js';
import {
  isById,
  type InstanceOrgMember,
  type InstanceOrgMemberPatch,
  type InstanceOrgMemberPost,
} from './instance-org-member.resource.js';
import { InstanceOrgMembersRepository } from './instance-org-members.repository.js';
import type { OrgOfInstance } from './instance-org.resource.js';

/** Members of organizations, managed through the instance. The rules are those of `OrgMembersService`. */
@Injectable()
export class InstanceOrgMembersService {
  constructor(
    private readonly instanceOrgMembers: InstanceOrgMembersRepository,
    private readonly members: OrgMembersService,
    private readonly orgs: OrgsRepository,
    private readonly users: UsersRepository,
    private readonly database: Database,
  ) {}

  list(org: OrgOfInstance, list: ListParameters): Promise<StoredPage<InstanceOrgMember>> {
    return this.instanceOrgMembers.page(org, list);
  }

  get(org: OrgOfInstance, userId: string): Promise<StoredResource<InstanceOrgMember>> {
    return this.instanceOrgMembers.findOneOrFail(org, userId);
  }

  async add(
    { instanceId, orgId }: OrgOfInstance,
    post: InstanceOrgMemberPost,
    by: Author,
  ): Promise<StoredResource<InstanceOrgMember>> {
    const userId = await this.database.transaction(async (transaction) => {
      const id = await this.userIdOf(orgId, post, transaction);
      const org = await this.members.add(transaction, orgId, { ...post, userId: id });
      await writeEntry(transaction.manager, by, orgEntry(org, id, { instanceId }));
      return id;
    });
    return this.get({ instanceId, orgId }, userId);
  }

  async change(
    org: OrgOfInstance,
    userId: string,
    patch: InstanceOrgMemberPatch,
    by: Author,
  ): Promise<StoredResource<InstanceOrgMember>> {
    await this.members.change(org.orgId, userId, patch, by, org.instanceId);
    return this.get(org, userId);
  }

  async remove({ instanceId, orgId }: OrgOfInstance, userId: string, by: Author): Promise<Success> {
    await this.members.remove(orgId, userId, by, instanceId);
    return new Success();
  }

  /** The address must be verified: otherwise another person could receive a membership intended for its owner. */
  private async userIdOf(
    orgId: string,
    post: InstanceOrgMemberPost,
    transaction: Transaction,
  ): Promise<string> {
    if (isById(post)) return post.userId.toLowerCase();
    const { instanceId } = await this.orgs.lock(orgId, transaction);
    const named = { email: parseAddress(post.email, 'member.email'), emailVerified: true, instanceId };
    const user = await this.users.find(named, transaction);
    if (!user) throw new NotFound('User');
    return user.id;
  }
}
