import { compileAdvancedQuery } from '../../../platform/lists/advanced-query.js';
import type { QueryField } from '../../../platform/lists/query-operators.js';

/**
 * Returns SQL for the groups that `first` selects as `id`, and all groups reached from them by `step`, which reads `w`.
 */
const walk = (first: string, step: string): string => `WITH RECURSIVE walk (id) AS (
    ${first} UNION SELECT n.id FROM walk w CROSS JOIN LATERAL (${step} OFFSET 0) n)
  SELECT k.id FROM walk k`;
const downwards = (first: string): string =>
  walk(first, 'SELECT g.id FROM experience_groups g WHERE g.parent_id = w.id');
const upwards = (first: string): string =>
  walk(
    first,
    'SELECT g.parent_id AS id FROM experience_groups g WHERE g.id = w.id AND g.parent_id IS NOT NULL',
  );

/** SQL for devices by tag, using a separate index for each kind of test. */
const TAGGED = [
  ['w.key IS NOT NULL AND w.value IS NOT NULL', 'd.key = w.key AND d.value = w.value'],
  ['w.key IS NOT NULL AND w.value IS NULL', 'd.key = w.key'],
  ['w.key IS NULL AND w.value IS NOT NULL', 'd.value = w.value'],
  ['w.key IS NULL AND w.value IS NULL', 'true'],
].map(
  ([asked, met]) => `SELECT f.device_id FROM wanted w CROSS JOIN LATERAL (
      SELECT d.device_id FROM device_tags d WHERE d.application_id = w.application_id AND ${met} OFFSET 0) f
    WHERE ${asked}`,
);

/** Returns SQL for the devices that match the groups selected by `first`, or the groups below them, by ID or tag. */
const devicesOf = (first: string): string => `WITH groups (id) AS MATERIALIZED (${downwards(first)}),
    wanted (application_id, key, value) AS MATERIALIZED (SELECT DISTINCT e.application_id, x.key, x.value
      FROM groups s JOIN experience_groups e ON e.id = s.id
      CROSS JOIN jsonb_to_recordset(e.device_tags) x (key text, value text))
  SELECT l.device_id FROM groups s JOIN experience_group_devices l ON l.group_id = s.id UNION ${TAGGED.join(' UNION ')}`;

/** Returns SQL for the groups that match a device by ID or tag, and the groups above them. */
const groupsOf = (applicationId: string, device: string): string =>
  upwards(`(SELECT l.group_id AS id FROM experience_group_devices l WHERE l.device_id = ${device}
    UNION SELECT e.id FROM experience_groups e CROSS JOIN jsonb_to_recordset(e.device_tags) x (key text, value text)
      JOIN device_tags d ON (x.key IS NULL OR d.key = x.key) AND (x.value IS NULL OR d.value = x.value)
      WHERE e.application_id = ${applicationId} AND d.device_id = ${device})`);

/** Condition of an advanced query on the groups of a device, or on the users of these groups. */
export interface GroupCondition {
  by: 'group' | 'user';
  operator: string;
  operand: unknown;
}

/** Returns additional conditions, each of which holds for devices in matching groups. */
export type GroupConditions = (asked: GroupCondition) => readonly string[];

/**
 * Returns the query fields for the groups that match a device, the groups above them, and their users. `device` is SQL
 * for the ID of the device of `t`. Groups match by ID, by tag, or by their own query; `others` supplies the conditions
 * for those queries.
 */
export const groupQueryFields = (
  device: string,
  others: GroupConditions,
): { experienceGroupId: QueryField; experienceUserId: QueryField } => {
  const groups = groupsOf('t.application_id', device);
  const among = (first: string) => `${device} = ANY (ARRAY(${devicesOf(first)}))`;
  return {
    experienceGroupId: {
      kind: 'ids',
      column: `SELECT b.id AS element FROM (${groups}) b`,
      rows: true,
      holdsOneOf: (ids) => among(`SELECT g.id FROM experience_groups g WHERE g.id = ANY (${ids})`),
      others: (operator, operand) => others({ by: 'group', operator, operand }),
    },
    experienceUserId: {
      kind: 'ids',
      column: `SELECT u.user_id AS element FROM (${groups}) b JOIN experience_group_users u ON u.group_id = b.id`,
      rows: true,
      holdsOneOf: (ids) =>
        among(`SELECT u.group_id FROM experience_group_users u WHERE u.user_id = ANY (${ids})`),
      others: (operator, operand) => others({ by: 'user', operator, operand }),
    },
  };
};

/**
 * Returns the statement that finds up to `max` queries of the requested groups and the groups below them: the index in
 * `asked`, the query, and a group that contains it.
 */
export function groupQueriesSql(
  applicationId: string,
  asked: readonly GroupCondition[],
  max: number,
): { text: string; values: unknown[] } {
  const values: unknown[] = [applicationId];
  const parts = asked.map((one, n) => {
    const users = one.by === 'user' ? ' JOIN experience_group_users u ON u.group_id = g.id' : '';
    const first = `SELECT g.id FROM experience_groups g${users} WHERE g.application_id = $1 AND ${testOf(one, values)}`;
    return `SELECT ${n} AS n, e.device_query_json, min(e.id) FROM (${downwards(first)}) s
      JOIN experience_groups e ON e.id = s.id WHERE e.device_query_json IS NOT NULL GROUP BY 2`;
  });
  return { text: `${parts.join(' UNION ALL ')} LIMIT ${max}`, values };
}

/** Returns SQL that tests a group `g` or its user `u`; always true if the operand is `null`. */
function testOf({ by, operator, operand }: GroupCondition, values: unknown[]): string {
  if (operand === null) return 'true';
  const id: QueryField = { kind: 'id', column: by === 'user' ? 'u.user_id' : 'g.id' };
  return compileAdvancedQuery({ id: { [operator]: operand } }, { id }, values);
}
