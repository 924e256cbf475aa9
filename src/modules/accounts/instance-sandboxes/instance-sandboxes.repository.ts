import { Injectable } from '@nestjs/common';
import { meSummary } from '../../../platform/counts/summaries.js';
import { Database } from '../../../platform/database/database.js';
import { columnName } from '../../../platform/database/naming.js';
import { RowShape } from '../../../platform/database/row-shape.js';
import { prepared, shaped } from '../../../platform/database/statements.js';
import { NotFound, ValidationError } from '../../../lib/errors/errors.js';
import { globToLike } from '../../../platform/lists/glob.js';
import { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { USER_COMPUTED } from '../users/user.columns.js';
import { InstanceSandbox, MAX_ORGS } from './instance-sandbox.resource.js';
import type { InstanceSandboxesQuery } from './instance-sandboxes.query.js';

/**
 * Null if there are more than `MAX_ORGS`, in which case no more rows than that are read. `OFFSET 0` forces a lookup by
 * key.
 */
const ORGS = `(SELECT CASE WHEN count(*) <= ${MAX_ORGS} THEN coalesce(
      json_agg(json_strip_nulls(json_build_object('id', s.id, 'name', s.name, 'iconColor', s.icon_color)) ORDER BY s.name, s.id), '[]') END
  FROM (SELECT o.* FROM org_members m CROSS JOIN LATERAL
    (SELECT * FROM orgs o WHERE o.id = m.org_id AND o.deleted_at IS NULL OFFSET 0) o
    WHERE m.user_id = t.id LIMIT ${MAX_ORGS + 1}) s)`;
/** Substitutes for absent values, so that rows without a value also have a position in the order. */
const ABSENT: Readonly<Record<string, string>> = {
  firstName: `''`,
  lastName: `''`,
  lastSuccessfulLogin: `'-infinity'`,
  lastFailedLogin: `'-infinity'`,
};

/** Repository of the users of an instance, including deleted ones until their data is removed. */
@Injectable()
export class InstanceSandboxesRepository {
  constructor(private readonly database: Database) {}

  async findOneOrFail(
    instanceId: string,
    id: string,
    summary: readonly string[],
  ): Promise<StoredResource<InstanceSandbox>> {
    const shape = shapeWith(summary);
    const text = shape.select('FROM users t WHERE t.instance_id = $1 AND t.id = $2');
    const [row] = await this.database.run(shaped(text, [instanceId, id]));
    if (!row) throw new NotFound('Sandbox');
    return new StoredResource(shape, row);
  }

  /**
   * Returns the users after or before a given one, in the given order. Pages remain stable while users are added and
   * removed. One extra row is read to determine whether more follow.
   */
  async page(
    instanceId: string,
    query: InstanceSandboxesQuery,
    summary: readonly string[],
  ): Promise<StoredPage<InstanceSandbox>> {
    const { startingAfterId, endingBeforeId, limit, includeDeleted } = query;
    const { sortField, sortDirection, filterField, filter } = query.list;
    const shape = shapeWith(summary);
    const cursor = startingAfterId ?? endingBeforeId;
    const forward = endingBeforeId === undefined;
    const ascending = (sortDirection === 'asc') === forward;
    const values: unknown[] = [instanceId];
    const where = ['t.instance_id = $1'];
    if (!includeDeleted) where.push('t.permanent_deletion IS NULL');
    if (filterField !== undefined && filter !== undefined)
      where.push(`t.${columnName(filterField)} ILIKE $${values.push(globToLike(filter))} ESCAPE '\\'`);
    if (cursor !== undefined)
      where.push(`(${keyOf(sortField, 't')}, t.id) ${ascending ? '>' : '<'}
        (SELECT ${keyOf(sortField, 'c')}, c.id FROM users c WHERE c.instance_id = $1 AND c.id = $${values.push(cursor)})`);
    const direction = ascending ? 'ASC' : 'DESC';
    const text = shape.select(`FROM users t WHERE ${where.join(' AND ')}
      ORDER BY ${keyOf(sortField, 't')} ${direction}, t.id ${direction} LIMIT $${values.push(limit + 1)}`);
    const statement = { ...shaped(text, values), sizedBy: 'limit' };
    const rows =
      filter === undefined
        ? await this.database.run(statement)
        : await this.database.search(statement, { owner: instanceId, parameter: 'filter' });
    if (rows.length === 0 && cursor !== undefined) await this.assertCursorExists(instanceId, cursor, forward);
    const items = rows.slice(0, limit).map((row) => new StoredResource(shape, row));
    return new StoredPage(forward ? items : items.reverse(), {
      limit,
      hasMore: rows.length > limit,
      startingAfterId,
      endingBeforeId,
      sortField,
      sortDirection,
      filterField,
      filter,
    });
  }

  /** Throws 400 for an unknown user; otherwise the page would be empty without an explanation. */
  private async assertCursorExists(instanceId: string, id: string, forward: boolean): Promise<void> {
    const text = 'SELECT id FROM users WHERE instance_id = $1 AND id = $2';
    const [row] = await this.database.run(prepared(text, [instanceId, id]));
    if (!row)
      throw new ValidationError(
        `${forward ? 'startingAfterId' : 'endingBeforeId'} is not a sandbox of the instance`,
      );
  }
}

function keyOf(sortField: string, row: string): string {
  const column = `${row}.${columnName(sortField)}`;
  const absent = ABSENT[sortField];
  return absent === undefined ? column : `coalesce(${column}, ${absent})`;
}

function shapeWith(summary: readonly string[]): RowShape<InstanceSandbox> {
  return new RowShape<InstanceSandbox>(InstanceSandbox, [
    ...USER_COMPUTED,
    { property: 'orgs', kind: 'json', sql: ORGS },
    meSummary.property(summary),
  ]);
}
