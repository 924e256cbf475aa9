import { firstRow, type Computed } from '../../../platform/database/row-shape.js';
import type { QueryFields } from '../../../platform/lists/advanced-query.js';

/** Maximum depth of the group tree. */
export const MAX_LEVELS = 100;
/**
 * Maximum number of users or endpoints of a group, or groups of one of these, that are returned and can be set at once.
 */
export const MAX_LINKS = 1000;

/** SQL of the tags in a JSON column, one row per tag. */
export const tagRowsOf = (column: string): string =>
  `SELECT g.key, g.value FROM jsonb_each_text(${column}) g`;

/** SQL of the ancestors of the group `t` with their distance. */
const ANCESTORS = `WITH RECURSIVE above (id, parent_id, level) AS (
    SELECT p.id, p.parent_id, 1 FROM experience_groups p WHERE p.id = t.parent_id
    UNION ALL SELECT p.id, p.parent_id, a.level + 1 FROM above a CROSS JOIN LATERAL (
      SELECT g.id, g.parent_id FROM experience_groups g WHERE g.id = a.parent_id OFFSET 0) p
      WHERE a.level < ${MAX_LEVELS})
  SELECT a.id, a.level FROM above a`;

/** SQL of the IDs of a group and its ancestors. */
export const upwardsSql = (group: string): string => `WITH RECURSIVE upwards (id, parent_id, level) AS (
    SELECT g.id, g.parent_id, 1 FROM experience_groups g WHERE g.id = ${group}
    UNION ALL SELECT p.id, p.parent_id, u.level + 1 FROM upwards u CROSS JOIN LATERAL (
      SELECT g.id, g.parent_id FROM experience_groups g WHERE g.id = u.parent_id OFFSET 0) p
      WHERE u.level < ${MAX_LEVELS})
  SELECT u.id FROM upwards u`;

/** SQL of the IDs of the groups selected by `first` and their descendants. */
export const downwardsSql = (first: string): string => `WITH RECURSIVE downwards (id) AS (
    ${first} UNION SELECT c.id FROM downwards d CROSS JOIN LATERAL (
      SELECT g.id FROM experience_groups g WHERE g.parent_id = d.id OFFSET 0) c)
  SELECT d.id FROM downwards d`;

/** SQL of a JSON array of the IDs linked to the group `t`. */
const linkedSql = (table: string, column: string): string =>
  `coalesce((SELECT json_agg(l.${column}) FROM (SELECT l.${column} FROM ${table} l
    WHERE l.group_id = t.id ORDER BY l.${column} ${firstRow(MAX_LINKS)}) l), '[]')`;

/** Computed properties of a group. */
export const GROUP_COMPUTED: readonly Computed[] = [
  {
    property: 'ancestorIds',
    kind: 'json',
    sql: `CASE WHEN t.parent_id IS NULL THEN '[]'
      ELSE coalesce((SELECT json_agg(a.id ORDER BY a.level) FROM (${ANCESTORS}) a), '[]') END`,
  },
  { property: 'experienceUserIds', kind: 'json', sql: linkedSql('experience_group_users', 'user_id') },
  {
    property: 'experienceEndpointIds',
    kind: 'json',
    sql: linkedSql('experience_group_endpoints', 'endpoint_id'),
  },
  {
    property: 'deviceIds',
    kind: 'json',
    // Links of deleted devices are kept, because a restored device rejoins its groups.
    sql: `coalesce((SELECT json_agg(d.id ORDER BY d.id) FROM experience_group_devices l CROSS JOIN LATERAL (
      SELECT e.id FROM devices e WHERE e.id = l.device_id AND e.deleted_at IS NULL OFFSET 0) d
      WHERE l.group_id = t.id), '[]')`,
  },
];

/** Query field for links of a group to one or several resources, found from the linked side. */
const linkedTo = (table: string, column: string): QueryFields[string] => ({
  kind: 'ids',
  column: `SELECT l.${column} AS element FROM ${table} l WHERE l.group_id = t.id`,
  rows: true,
  holdsOneOf: (ids) =>
    `t.id = ANY (ARRAY(SELECT l.group_id FROM ${table} l WHERE l.${column} = ANY (${ids})))`,
});

/** Fields of experience groups `t` that an advanced query can use. */
export const GROUP_QUERY_FIELDS: QueryFields = {
  id: { kind: 'id', column: 't.id' },
  name: { kind: 'string', column: 't.name' },
  creationDate: { kind: 'date', column: 't.creation_date' },
  lastUpdated: { kind: 'date', column: 't.last_updated' },
  parentId: { kind: 'id', column: 't.parent_id' },
  ancestorId: {
    kind: 'ids',
    column: `SELECT a.id AS element FROM (${ANCESTORS}) a`,
    rows: true,
    holdsOneOf: (ids) => `t.parent_id = ANY (ARRAY(${downwardsSql(`SELECT unnest(${ids})`)}))`,
  },
  experienceUserId: linkedTo('experience_group_users', 'user_id'),
  experienceEndpointId: linkedTo('experience_group_endpoints', 'endpoint_id'),
  groupTags: { kind: 'tags', column: tagRowsOf('t.group_tags'), rows: true },
};
