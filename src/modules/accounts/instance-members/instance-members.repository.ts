import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { RowShape } from '../../../platform/database/row-shape.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound } from '../../../lib/errors/errors.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { runWholeList } from '../../../platform/lists/run-list.js';
import { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { InstanceMember, InstanceMemberView, type InstanceMemberRole } from './instance-member.resource.js';

const TITLE = 'Member';
/** Members joined with their users, as a table whose `id` is the user ID. */
const MEMBERS = `(SELECT m.instance_id, u.id, u.email, u.first_name, u.last_name, m.role::text AS role,
    u.two_factor_key IS NOT NULL AS two_factor_on, u.sso_linked
  FROM instance_members m JOIN users u ON u.id = m.user_id AND u.permanent_deletion IS NULL)`;
const SHAPE = new RowShape<InstanceMemberView>(InstanceMemberView, [
  { property: 'instanceId', kind: 'plain', sql: 't.instance_id' },
  { property: 'userId', kind: 'plain', sql: 't.id' },
  { property: 'email', kind: 'text', sql: 't.email' },
  { property: 'firstName', kind: 'text', sql: 't.first_name' },
  { property: 'lastName', kind: 'text', sql: 't.last_name' },
  { property: 'role', kind: 'plain', sql: 't.role' },
  { property: 'twoFactorAuthEnabled', kind: 'boolean', sql: 't.two_factor_on' },
  { property: 'ssoLinked', kind: 'boolean', sql: 't.sso_linked' },
]);
const BY_ID = `FROM ${MEMBERS} t WHERE t.instance_id = $1 AND t.id = $2`;
const MEMBER = `SELECT t.id, t.email, t.role ${BY_ID}`;
const OTHER_ADMINS = `SELECT FROM ${MEMBERS} t WHERE t.instance_id = $1 AND t.id <> $2 AND t.role = 'admin' LIMIT 1`;
const ADD = `INSERT INTO instance_members (instance_id, user_id, role) VALUES ($1, $2, $3)
  ON CONFLICT DO NOTHING RETURNING user_id`;

/** Member as used by the membership rules; `id` is the user ID. */
export interface Member {
  id: string;
  email: string;
  role: InstanceMemberRole;
}

/** Repository of the members of instances. */
@Injectable()
export class InstanceMembersRepository {
  constructor(
    @InjectRepository(InstanceMember) private readonly rows: Repository<InstanceMember>,
    private readonly database: Database,
  ) {}

  async page(instanceId: string, list: ListParameters): Promise<StoredPage<InstanceMemberView>> {
    const from = { table: MEMBERS, owner: instanceId, where: ['t.instance_id = $1'], values: [instanceId] };
    const { items, envelope } = await runWholeList(this.database, SHAPE, { ...from, list });
    return new StoredPage(items, { ...envelope, instanceId });
  }

  /** Returns the member as shown in responses. Throws 404 if the user is not a member. */
  async findOneOrFail(instanceId: string, userId: string): Promise<StoredResource<InstanceMemberView>> {
    const [row] = await this.database.run(prepared(SHAPE.select(BY_ID), [instanceId, userId]));
    if (!row) throw new NotFound(TITLE);
    return new StoredResource(SHAPE, row);
  }

  /** Returns the member. Throws 404 if the user is not a member. */
  async find(instanceId: string, userId: string, transaction: Transaction): Promise<Member> {
    const [member] = await transaction.rows<Member>(prepared(MEMBER, [instanceId, userId]));
    if (!member) throw new NotFound(TITLE);
    return member;
  }

  /** Whether the instance has another admin. The instance must be locked. */
  async hasOtherAdmin(instanceId: string, userId: string, transaction: Transaction): Promise<boolean> {
    return (await transaction.run(prepared(OTHER_ADMINS, [instanceId, userId]))).length > 0;
  }

  /** Returns the number of members of the instance, and of instances of the user. */
  async counts(instanceId: string, userId: string, transaction: Transaction): Promise<[number, number]> {
    const rows = this.within(transaction);
    return [await rows.countBy({ instanceId }), await rows.countBy({ userId })];
  }

  /** Returns `false` if the user is already a member. */
  async add(
    instanceId: string,
    userId: string,
    role: InstanceMemberRole,
    transaction: Transaction,
  ): Promise<boolean> {
    return (await transaction.run(prepared(ADD, [instanceId, userId, role]))).length > 0;
  }

  async setRole(
    instanceId: string,
    userId: string,
    role: InstanceMemberRole,
    transaction: Transaction,
  ): Promise<void> {
    await this.within(transaction).update({ instanceId, userId }, { role });
  }

  async remove(instanceId: string, userId: string, transaction: Transaction): Promise<void> {
    await this.within(transaction).delete({ instanceId, userId });
  }

  private within({ manager }: Transaction): Repository<InstanceMember> {
    return manager.withRepository(this.rows);
  }
}
