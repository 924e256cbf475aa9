import { firstRow, type Computed } from '../../../platform/database/row-shape.js';
import type { QueryFields } from '../../../platform/lists/advanced-query.js';
import { MAX_LINKS, tagRowsOf } from '../experience-groups/experience-group.columns.js';

/** Computed properties of an experience user. */
export const USER_COMPUTED: readonly Computed[] = [
  {
    property: 'experienceGroups',
    kind: 'json',
    sql: `coalesce((SELECT json_agg(json_build_object('id', g.id, 'name', g.name, 'parentId', g.parent_id) ORDER BY g.id)
      FROM (SELECT l.group_id FROM experience_group_users l WHERE l.user_id = t.id ORDER BY l.group_id ${firstRow(MAX_LINKS)}) l
      CROSS JOIN LATERAL (SELECT e.id, e.name, e.parent_id FROM experience_groups e WHERE e.id = l.group_id OFFSET 0) g), '[]')`,
  },
];

/** SQL condition that a user `t` is in one of the groups, an SQL array. */
export const inGroupsSql = (groups: string): string =>
  `t.id = ANY (ARRAY(SELECT l.user_id FROM experience_group_users l WHERE l.group_id = ANY (${groups})))`;

/** SQL condition that a user `t` is in any group. */
export const IN_ANY_GROUP = 'EXISTS (SELECT FROM experience_group_users l WHERE l.user_id = t.id)';

/** Fields of experience users `t` that an advanced query can use. */
export const USER_QUERY_FIELDS: QueryFields = {
  id: { kind: 'id', column: 't.id' },
  email: { kind: 'string', column: 't.email' },
  firstName: { kind: 'string', column: 't.first_name' },
  lastName: { kind: 'string', column: 't.last_name' },
  creationDate: { kind: 'date', column: 't.creation_date' },
  lastUpdated: { kind: 'date', column: 't.last_updated' },
  lastLogin: { kind: 'date', column: 't.last_login' },
  passwordLastUpdated: { kind: 'date', column: 't.password_last_updated' },
  userTags: { kind: 'tags', column: tagRowsOf('t.user_tags'), rows: true },
  experienceGroupId: {
    kind: 'ids',
    column: 'SELECT l.group_id AS element FROM experience_group_users l WHERE l.user_id = t.id',
    rows: true,
    holdsOneOf: inGroupsSql,
  },
};
