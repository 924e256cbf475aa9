import { some } from '../../../platform/lists/query-operators.js';
import { tagsNeededBy } from '../../devices/devices/device-query.tags.js';
import { selectionSql, wholeQuerySql } from '../../devices/devices/device-selection.columns.js';
import { downwardsSql } from './experience-group.columns.js';

const DEVICE = 't.application_id = $1 AND t.deleted_at IS NULL';
const SINGLE_GROUP = 'SELECT g.id FROM experience_groups g WHERE g.application_id = $1 AND g.id = $2';
const GROUP_TREE = downwardsSql(SINGLE_GROUP);

/** Scope of a device count: only the group (`alone`), or including its descendants (`whole`). */
export type Extent = 'alone' | 'whole';

const GROUPS: Readonly<Record<Extent, string>> = { alone: SINGLE_GROUP, whole: GROUP_TREE };
/** Finds devices by tag; each kind of condition uses its own index. */
const TAGGED = [
  ['w.key IS NOT NULL AND w.value IS NOT NULL', 'g.key = w.key AND g.value = w.value'],
  ['w.key IS NOT NULL AND w.value IS NULL', 'g.key = w.key'],
  ['w.key IS NULL AND w.value IS NOT NULL', 'g.value = w.value'],
  ['w.key IS NULL AND w.value IS NULL', 'true'],
].map(
  ([asked, met]) => `SELECT d.device_id FROM wanted w CROSS JOIN LATERAL (
      SELECT g.device_id FROM device_tags g WHERE g.application_id = $1 AND ${met} OFFSET 0) d WHERE ${asked}`,
);

/** SQL of the distinct device queries of the group `$2` in the application `$1`, each with a group that uses it. */
export const queriesSql = (extent: Extent, max: number): string =>
  `SELECT e.device_query_json, min(e.id) FROM (${GROUPS[extent]}) s JOIN experience_groups e ON e.id = s.id
    WHERE e.device_query_json IS NOT NULL GROUP BY 1 LIMIT ${max}`;

/**
 * SQL of the number of distinct devices of the group `$2` in the application `$1`: devices by ID and tag, and those
 * that match `queries`. Bound values are added to `values`.
 */
export function countDevicesSql(
  extent: Extent,
  applicationId: string,
  queries: readonly object[],
  values: unknown[],
): string {
  const isTagged = (deviceQuery: object) => tagsNeededBy(deviceQuery).length > 0;
  const byTags = queries
    .filter(isTagged)
    .map((deviceQuery) => wholeQuerySql(applicationId, deviceQuery, values));
  // Conditions without an index are evaluated once for every device.
  const others = queries
    .filter((deviceQuery) => !isTagged(deviceQuery))
    .map((deviceQuery) => selectionSql({ deviceQuery }, values));
  const conditions = [...byTags, ...(others.length > 0 ? [some(others)] : [])];
  const sets = [
    'SELECT l.device_id FROM groups s JOIN experience_group_devices l ON l.group_id = s.id',
    ...TAGGED,
    ...conditions.map((condition) => `SELECT t.id FROM devices t WHERE ${DEVICE} AND ${condition}`),
  ];
  return `WITH groups (id) AS MATERIALIZED (${GROUPS[extent]}),
    wanted (key, value) AS MATERIALIZED (SELECT DISTINCT x.key, x.value FROM groups s
      JOIN experience_groups e ON e.id = s.id CROSS JOIN jsonb_to_recordset(e.device_tags) x (key text, value text))
  SELECT count(*)::int FROM devices t WHERE ${DEVICE} AND t.id IN (${sets.join(' UNION ')})`;
}
