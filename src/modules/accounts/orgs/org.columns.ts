import { rowCount, type CountedRows } from '../../../platform/counts/count-triggers.js';
import { countSql } from '../../../platform/counts/counts.js';
import { INVITE_TTL_SECONDS } from '../../../platform/counts/summaries.js';
import type { Computed } from '../../../platform/database/row-shape.js';

/** SQL for the property; the column is null when the document contains `false`. */
export const DISABLED_AT: Computed = {
  property: 'disabledAt',
  kind: 'json',
  sql: `coalesce(to_json(to_char(t.disabled_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), 'false')`,
};

/** Returns SQL for whether the invitation with the given alias has expired. */
export const expiredSql = (alias: string): string =>
  `(${alias}.invite_date <= now() - interval '${INVITE_TTL_SECONDS} seconds')`;

/** SQL of the number counted by the member limit of the organization `t`: an open invitation reserves a place. */
export const USED_SEATS = `${countSql('t.id', `'memberCount'`)} + (SELECT count(*) FROM org_invites i
  WHERE i.org_id = t.id AND NOT ${expiredSql('i')})`;

/** Counts of members, of organizations of users, and of organizations of instances. */
export const COUNTED_ORGS: readonly CountedRows[] = [
  {
    table: 'org_members',
    holder: 'org_id',
    amounts: rowCount('memberCount'),
    where: '(SELECT u.permanent_deletion IS NULL FROM users u WHERE u.id = r.user_id)',
    dependsOn: { table: 'users', column: 'user_id' },
  },
  {
    table: 'org_members',
    name: 'orgs_of_users',
    holder: 'user_id',
    amounts: rowCount('orgCount'),
    where: '(SELECT o.deleted_at IS NULL FROM orgs o WHERE o.id = r.org_id)',
    dependsOn: { table: 'orgs', column: 'org_id' },
  },
  { table: 'orgs', holder: 'instance_id', amounts: rowCount('orgCount'), where: 'r.deleted_at IS NULL' },
];
