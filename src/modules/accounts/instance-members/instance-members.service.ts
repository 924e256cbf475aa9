import { Injectable } from '@nestjs/common';
import { AccessCache } from '../../../platform/access/access-cache.js';
import { MAX_INSTANCES } from '../../../platform/access/memberships.js';
import { writeEntry } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { parseAddress } from '../../../lib/mail/addresses.js';
import { NotFound, ValidationError } from '../../../lib/errors/errors.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { InstancesRepository } from '../instances/instances.repository.js';
import { UsersRepository } from '../users/users.repository.js';
import {
  MAX_MEMBERS,
  type InstanceMemberPatch,
  type InstanceMemberPost,
  type InstanceMemberView,
} from './instance-member.resource.js';
import { InstanceMembersRepository, type Member } from './instance-members.repository.js';

/** Members of an instance, who can manage or read it. The last admin always remains. */
@Injectable()
export class InstanceMembersService {
  constructor(
    private readonly members: InstanceMembersRepository,
    private readonly instances: InstancesRepository,
    private readonly users: UsersRepository,
    private readonly database: Database,
    private readonly cache: AccessCache,
  ) {}

  list(instanceId: string, list: ListParameters): Promise<StoredPage<InstanceMemberView>> {
    return this.members.page(instanceId, list);
  }

  get(instanceId: string, userId: string): Promise<StoredResource<InstanceMemberView>> {
    return this.members.findOneOrFail(instanceId, userId);
  }

  /** Locks the user because their account might be deleted concurrently. */
  async add(
    instanceId: string,
    { userId, email, role }: InstanceMemberPost,
    by: Author,
  ): Promise<StoredResource<InstanceMemberView>> {
    const id = await this.database.transaction(async (transaction) => {
      const named = {
        ...(userId !== undefined && { id: userId.toLowerCase() }),
        ...(email !== undefined && { email: parseAddress(email, 'instanceMember.email') }),
      };
      const user = await this.users.lock(named, transaction);
      if (!user) throw new NotFound('User');
      await this.instances.lock(instanceId, transaction);
      if (!(await this.members.add(instanceId, user.id, role, transaction)))
        throw new ValidationError(
          `instanceMember.${userId ? 'userId' : 'email'} is already that of a member`,
        );
      await this.assertWithinBounds(instanceId, user.id, transaction);
      await logChange(transaction, by, instanceId, user);
      return user.id;
    });
    await this.cache.evict(id);
    return this.get(instanceId, id);
  }

  async changeRole(
    instanceId: string,
    userId: string,
    { role }: InstanceMemberPatch,
    by: Author,
  ): Promise<InstanceMemberPatch> {
    await this.database.transaction(async (transaction) => {
      const member = await this.lock(instanceId, userId, transaction);
      if (userId === by.caller.subject.id && role !== member.role)
        throw new ValidationError('instanceMember.role: you cannot change your own role');
      if (role !== 'admin') await this.assertAnotherAdmin(instanceId, userId, transaction);
      await this.members.setRole(instanceId, userId, role, transaction);
      await logChange(transaction, by, instanceId, member);
    });
    await this.cache.evict(userId);
    return { role };
  }

  /** Removes only the membership; the user and their other resources are kept. */
  async remove(instanceId: string, userId: string, by: Author): Promise<Success> {
    await this.database.transaction(async (transaction) => {
      const member = await this.lock(instanceId, userId, transaction);
      await this.assertAnotherAdmin(instanceId, userId, transaction);
      await this.members.remove(instanceId, userId, transaction);
      await logChange(transaction, by, instanceId, member);
    });
    await this.cache.evict(userId);
    return new Success();
  }

  /**
   * Locks the instance, so that changes to its members are serialized, and returns the member. Throws 404 if the user
   * is not a member.
   */
  private async lock(instanceId: string, userId: string, transaction: Transaction): Promise<Member> {
    await this.instances.lock(instanceId, transaction);
    return this.members.find(instanceId, userId, transaction);
  }

  /**
   * Throws 400 if the instance has, or the user is in, more than can be returned in one response. The new member is
   * already stored.
   */
  private async assertWithinBounds(
    instanceId: string,
    userId: string,
    transaction: Transaction,
  ): Promise<void> {
    const [members, instances] = await this.members.counts(instanceId, userId, transaction);
    if (members > MAX_MEMBERS)
      throw new ValidationError(
        `instanceMember cannot be added: an instance can have at most ${MAX_MEMBERS} members`,
      );
    if (instances > MAX_INSTANCES)
      throw new ValidationError(`instanceMember is in ${MAX_INSTANCES} instances, the maximum per user`);
  }

  /** Throws 400 if the user is the only admin of the instance, which must be locked. */
  private async assertAnotherAdmin(
    instanceId: string,
    userId: string,
    transaction: Transaction,
  ): Promise<void> {
    if (!(await this.members.hasOtherAdmin(instanceId, userId, transaction)))
      throw new ValidationError('instanceMember is the last admin of the instance');
  }
}

function logChange(
  { manager }: Transaction,
  by: Author,
  instanceId: string,
  { id, email }: Pick<Member, 'id' | 'email'>,
): Promise<void> {
  const primary = { type: 'User', id, name: email };
  return writeEntry(manager, by, { instance: { id: instanceId, primary }, response: { id } });
}
