import { Injectable, type Type } from '@nestjs/common';
import { countSql } from '../../../platform/counts/counts.js';
import { orgSummary } from '../../../platform/counts/summaries.js';
import { Database } from '../../../platform/database/database.js';
import { copierOfProperty, RowShape, type Computed } from '../../../platform/database/row-shape.js';
import { shaped } from '../../../platform/database/statements.js';
import { NotFound } from '../../../lib/errors/errors.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { runList } from '../../../platform/lists/run-list.js';
import { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { Org } from '../orgs/org.resource.js';
import { DISABLED_AT } from '../orgs/org.columns.js';
import { InstanceOrg } from './instance-org.resource.js';

/** Columns visible only through the instance, in addition to those visible to members. */
const OPERATED_ORGS: readonly Computed[] = [
  DISABLED_AT,
  { property: 'instanceId', kind: 'plain', sql: 't.instance_id' },
  { property: 'auditLogEnabled', kind: 'boolean', sql: 't.audit_log_enabled' },
  { property: 'tags', kind: 'json', sql: 't.tags', write: copierOfProperty(InstanceOrg, 'tags') },
  { property: 'referralId', kind: 'text', sql: 't.referral_id' },
];
const INSTANCE_CONDITIONS = ['t.instance_id = $1', 't.deleted_at IS NULL'];

/** Repository of organizations as managed through the instance. */
@Injectable()
export class InstanceOrgsRepository {
  constructor(private readonly database: Database) {}

  /** Returns the organization. Throws 404 if it does not exist. */
  async findOneOrFail(
    instanceId: string,
    id: string,
    summary: readonly string[],
  ): Promise<StoredResource<InstanceOrg>> {
    const shape = shapeWith(summary);
    const text = shape.select(`FROM orgs t WHERE ${INSTANCE_CONDITIONS.join(' AND ')} AND t.id = $2`);
    const [row] = await this.database.run(shaped(text, [instanceId, id]));
    if (!row) throw new NotFound('Organization');
    return new StoredResource(shape, row);
  }

  /** Returns a page of the instance's organizations without those in `except`. */
  async page(
    instanceId: string,
    except: readonly string[],
    list: ListParameters,
    summary: readonly string[],
  ): Promise<StoredPage<InstanceOrg>> {
    const { items, envelope } = await runList(this.database, shapeWith(summary), {
      table: 'orgs',
      owner: instanceId,
      where: [...INSTANCE_CONDITIONS, 't.id <> ALL($2::text[])'],
      values: [instanceId, except],
      list,
      total: `${countSql('$1', `'orgCount'`)} - (SELECT count(*) FROM orgs t WHERE t.id = ANY($2::text[]) AND ${INSTANCE_CONDITIONS.join(' AND ')})`,
    });
    return new StoredPage(items, { ...envelope, instanceId });
  }
}

/** Uses the columns of `Org`, which has the same table. */
function shapeWith(summary: readonly string[]): RowShape<InstanceOrg> {
  const type = Org as Type<unknown> as Type<InstanceOrg>;
  return new RowShape<InstanceOrg>(type, [...OPERATED_ORGS, orgSummary.property(summary)]);
}
