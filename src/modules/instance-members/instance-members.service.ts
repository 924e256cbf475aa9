import { Injectable } from '@nestjs/common';
import { IsNull, type EntityManager } from 'typeorm';
import { AccessCache } from '../../platform/access/access-cache.js';
import { MOST_INSTANCES } from '../../platform/access/memberships.js';
import { writeEntry } from '../../platform/audit/audit.js';
import type { Author } from '../../platform/audit/author.js';
import { Database } from '../../platform/database/database.js';
import { RowShape } from '../../platform/database/row-shape.js';
import { prepared } from '../../platform/database/statements.js';
import { NotFound, ValidationError } from '../../platform/errors/errors.js';
import type { ListParameters } from '../../platform/list/list-query.js';
import { runWholeList } from '../../platform/list/run-list.js';
import { Stored, StoredPage } from '../../platform/response/answers.js';
import { Success } from '../../platform/shared.schemas.js';
import { User } from '../users/user.entity.js';
import {
  InstanceMember,
  InstanceMemberView,
  MOST_MEMBERS,
  type InstanceMemberPatch,
  type InstanceMemberPost,
} from './instance-member.resource.js';

const TITLE = 'Member';
const LOCK = 'SELECT FROM instances WHERE id = $1 FOR NO KEY UPDATE';
/** Members with what is shown of the user, as a table whose `id` is that of the user. */
const MEMBERS = `(SELECT m.instance_id, u.id, u.email, u.first_name, u.last_name, m.role::text AS role,
    u.two_factor_key IS NOT NULL AS two_factor_on, u.sso_linked
  FROM instance_members m JOIN users u ON u.id = m.user_id AND u.permanent_deletion IS NULL)`;

/** Who runs an instance, or may look. Somebody always runs it: its last admin stays. */
@Injectable()
export class InstanceMembersService {
  private readonly shape = new RowShape<InstanceMemberView>(InstanceMemberView, [
    { property: 'instanceId', kind: 'plain', sql: 't.instance_id' },
    { property: 'userId', kind: 'plain', sql: 't.id' },
    { property: 'email', kind: 'text', sql: 't.email' },
    { property: 'firstName', kind: 'text', sql: 't.first_name' },
    { property: 'lastName', kind: 'text', sql: 't.last_name' },
    { property: 'role', kind: 'plain', sql: 't.role' },
    { property: 'twoFactorAuthEnabled', kind: 'boolean', sql: 't.two_factor_on' },
    { property: 'ssoLinked', kind: 'boolean', sql: 't.sso_linked' },
  ]);

  constructor(
    private readonly database: Database,
    private readonly cache: AccessCache,
  ) {}

  async list(instanceId: string, list: ListParameters): Promise<StoredPage<InstanceMemberView>> {
    const { items, envelope } = await runWholeList(this.database, this.shape, {
      table: MEMBERS,
      where: ['t.instance_id = $1'],
      values: [instanceId],
      list,
    });
    return new StoredPage(items, { ...envelope, instanceId });
  }

  async get(instanceId: string, userId: string): Promise<Stored<InstanceMemberView>> {
    const text = this.shape.select(`FROM ${MEMBERS} t WHERE t.instance_id = $1 AND t.id = $2`);
    const [row] = await this.database.run(prepared(text, [instanceId, userId]));
    if (!row) throw new NotFound(TITLE);
    return new Stored(this.shape, row);
  }

  async add(
    instanceId: string,
    { userId, email, role }: InstanceMemberPost,
    by: Author,
  ): Promise<Stored<InstanceMemberView>> {
    const id = await this.database.transaction(async ({ manager }) => {
      const user = await lockUser(manager, { id: userId?.toLowerCase(), email: email?.toLowerCase() });
      await manager.query(LOCK, [instanceId]);
      const added = await manager.query<unknown[]>(
        `INSERT INTO instance_members (instance_id, user_id, role) VALUES ($1, $2, $3)
         ON CONFLICT DO NOTHING RETURNING user_id`,
        [instanceId, user.id, role],
      );
      if (added.length === 0)
        throw new ValidationError(
          `instanceMember.${userId ? 'userId' : 'email'} is that of a member already`,
        );
      await demandWithinBounds(manager, instanceId, user.id);
      await this.note(manager, by, instanceId, user);
      return user.id;
    });
    await this.cache.drop(id);
    return this.get(instanceId, id);
  }

  async changeRole(
    instanceId: string,
    userId: string,
    { role }: InstanceMemberPatch,
    by: Author,
  ): Promise<InstanceMemberPatch> {
    await this.database.transaction(async ({ manager }) => {
      const member = await this.lock(manager, instanceId, userId);
      if (userId === by.caller.subject.id && role !== member.role)
        throw new ValidationError('instanceMember.role of your own is for another admin to change');
      if (role !== 'admin') await demandAnotherAdmin(manager, instanceId, userId);
      await manager.update(InstanceMember, { instanceId, userId }, { role });
      await this.note(manager, by, instanceId, member);
    });
    await this.cache.drop(userId);
    return { role };
  }

  /** The user stays, as does all else that they have. */
  async remove(instanceId: string, userId: string, by: Author): Promise<Success> {
    await this.database.transaction(async ({ manager }) => {
      const member = await this.lock(manager, instanceId, userId);
      await demandAnotherAdmin(manager, instanceId, userId);
      await manager.delete(InstanceMember, { instanceId, userId });
      await this.note(manager, by, instanceId, member);
    });
    await this.cache.drop(userId);
    return new Success();
  }

  /** The member, or 404. The instance is locked, so that its members change one after the other. */
  private async lock(manager: EntityManager, instanceId: string, userId: string) {
    await manager.query(LOCK, [instanceId]);
    const [member] = await manager.query<
      Pick<InstanceMemberView & { id: string }, 'id' | 'email' | 'role'>[]
    >(`SELECT t.id, t.email, t.role FROM ${MEMBERS} t WHERE t.instance_id = $1 AND t.id = $2`, [
      instanceId,
      userId,
    ]);
    if (!member) throw new NotFound(TITLE);
    return member;
  }

  private note(
    manager: EntityManager,
    by: Author,
    instanceId: string,
    { id, email }: { id: string; email: string },
  ): Promise<void> {
    const primary = { type: 'User', id, name: email };
    return writeEntry(manager, by, { instance: { id: instanceId, primary }, response: { id } });
  }
}

/** The user who has the id and the address, or that which is given; locked, as their account may be about to be deleted. */
async function lockUser(
  manager: EntityManager,
  { id, email }: { id?: string; email?: string },
): Promise<{ id: string; email: string }> {
  const user = await manager.findOne(User, {
    select: { id: true, email: true },
    where: { ...(id && { id }), ...(email && { email }), permanentDeletion: IsNull() },
    lock: { mode: 'for_no_key_update' },
  });
  if (!user) throw new NotFound('User');
  return user;
}

/** Throws 400 where the instance has, or the user is in, more than is shown whole; the new member is stored already. */
async function demandWithinBounds(manager: EntityManager, instanceId: string, userId: string): Promise<void> {
  const [members, instances] = await Promise.all([
    manager.countBy(InstanceMember, { instanceId }),
    manager.countBy(InstanceMember, { userId }),
  ]);
  if (members > MOST_MEMBERS)
    throw new ValidationError(`instanceMember is one too many: an instance has at most ${MOST_MEMBERS}`);
  if (instances > MOST_INSTANCES)
    throw new ValidationError(
      `instanceMember is in ${MOST_INSTANCES} instances already, which is the most there may be`,
    );
}

/** Throws 400 where nobody but the user runs the instance, which has to be locked. */
async function demandAnotherAdmin(manager: EntityManager, instanceId: string, userId: string): Promise<void> {
  const others = await manager.query<unknown[]>(
    `SELECT FROM ${MEMBERS} t WHERE t.instance_id = $1 AND t.id <> $2 AND t.role = 'admin' LIMIT 1`,
    [instanceId, userId],
  );
  if (others.length === 0) throw new ValidationError('instanceMember is the last admin of the instance');
}
