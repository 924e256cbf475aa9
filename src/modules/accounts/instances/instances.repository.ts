import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { Principal } from '../../../platform/access/principal.js';
import { withEntry, type AuditTarget } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import type { Changes } from '../../../platform/database/changes.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { RowShape } from '../../../platform/database/row-shape.js';
import { prepared, update } from '../../../platform/database/statements.js';
import { NotFound } from '../../../lib/errors/errors.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { runList } from '../../../platform/lists/run-list.js';
import { StoredResource, type StoredPage } from '../../../platform/responses/stored-resources.js';
import { Instance } from './instance.resource.js';

const MEMBERS = `(SELECT coalesce(json_agg(json_build_object('userId', m.user_id, 'role', m.role) ORDER BY m.user_id), '[]')
  FROM instance_members m JOIN users u ON u.id = m.user_id AND u.permanent_deletion IS NULL WHERE m.instance_id = t.id)`;
const AUDITED: AuditTarget = { log: 'instance', join: 'JOIN instances i ON i.id = t.id' };

/** Repository of instances. They have no owner: access has already been checked. */
@Injectable()
export class InstancesRepository {
  private readonly shape = new RowShape<Instance>(Instance, [
    { property: 'members', kind: 'json', sql: MEMBERS },
  ]);

  constructor(
    @InjectRepository(Instance) private readonly rows: Repository<Instance>,
    private readonly database: Database,
  ) {}

  async obtain(id: string): Promise<StoredResource<Instance>> {
    const [row] = await this.database.run(
      prepared(this.shape.select('FROM instances t WHERE t.id = $1'), [id]),
    );
    if (!row) throw new NotFound('Instance');
    return new StoredResource(this.shape, row);
  }

  async change(id: string, changes: Changes<Instance>, by: Author): Promise<StoredResource<Instance>> {
    const set = { ...changes, lastUpdated: new Date() };
    const change = update(Instance, 'instances', set, ['t.id = $1'], [id]);
    const [row] = await this.database.run(withEntry(change, this.shape.columns, AUDITED, by));
    if (!row) throw new NotFound('Instance');
    return new StoredResource(this.shape, row);
  }

  /** Locks an instance until the transaction ends, so that changes to its members are serialized. */
  async lock(id: string, { manager }: Transaction): Promise<void> {
    const lock = { mode: 'for_no_key_update' } as const;
    await manager.withRepository(this.rows).findOne({ select: { id: true }, where: { id }, lock });
  }

  /** Returns the limits of new organizations in the instance, if set. */
  async limitsOfOrganizations(id: string, { manager }: Transaction): Promise<object | undefined> {
    return (await manager.withRepository(this.rows).findOneByOrFail({ id })).orgDefaultLimitConfig;
  }

  /** Returns a page of the instances that the caller can view. */
  page(caller: Principal, list: ListParameters): Promise<StoredPage<Instance>> {
    return runList(this.database, this.shape, {
      table: 'instances',
      owner: caller.subject.id,
      where: ['t.id = ANY($1::text[])'],
      values: [caller.instancesWith('view')],
      list,
    });
  }
}
