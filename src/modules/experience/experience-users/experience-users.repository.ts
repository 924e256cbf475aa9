import type { ApplicationAccess } from '../../../platform/access/request.js';
import { countSql } from '../../../platform/counts/counts.js';
import type { Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { not } from '../../../platform/lists/query-operators.js';
import { runList } from '../../../platform/lists/run-list.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { repositoryOf } from '../../../platform/repositories/repository.js';
import { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { upwardsSql } from '../experience-groups/experience-group.columns.js';
import { IN_ANY_GROUP, inGroupsSql } from './experience-user.columns.js';
import { EXPERIENCE_USERS, ExperienceUser } from './experience-user.resource.js';

const { table } = EXPERIENCE_USERS;
const BY_ID = `FROM ${table} t WHERE t.application_id = $1 AND t.id = $2`;
const TOTAL = countSql('$1', `'experienceUserCount'`);

/** Filter of users by group: members of a group, with or without those of its ancestors, of any group, or of none. */
export type GroupFilter = 'any' | 'none' | { groupId: string; withAncestors: boolean };

/** Repository of experience users. */
export class ExperienceUsersRepository extends repositoryOf(EXPERIENCE_USERS) {
  /** Returns a user with the changes of the current transaction. */
  async reload(
    applicationId: string,
    id: string,
    transaction: Transaction,
  ): Promise<StoredResource<ExperienceUser>> {
    const [row] = await transaction.run(prepared(this.shape.select(BY_ID), [applicationId, id]));
    return new StoredResource(this.shape, row!);
  }

  /** Returns a page of users. `filter` selects them by group unless an advanced query is set. */
  async pageBy(
    { id, ownerId }: ApplicationAccess,
    list: ListParameters,
    filter?: GroupFilter,
  ): Promise<StoredPage<ExperienceUser>> {
    const values: unknown[] = [id];
    const asked = list.condition ? undefined : filter;
    const found = asked === undefined ? [] : [filterSql(asked, values)];
    const { items, envelope } = await runList(this.database, this.shape, {
      table,
      owner: ownerId,
      where: ['t.application_id = $1', ...found],
      values,
      list,
      searchedBy: asked && 'experienceGroupId',
      total: asked ? undefined : TOTAL,
    });
    const experienceGroupId = typeof asked === 'object' ? asked.groupId : undefined;
    return new StoredPage(items, { ...envelope, applicationId: id, experienceGroupId });
  }
}

function filterSql(filter: GroupFilter, values: unknown[]): string {
  if (filter === 'any') return IN_ANY_GROUP;
  if (filter === 'none') return not(IN_ANY_GROUP);
  const group = `$${values.push(filter.groupId)}::text`;
  return inGroupsSql(filter.withAncestors ? `ARRAY(${upwardsSql(group)})` : `ARRAY[${group}]`);
}
