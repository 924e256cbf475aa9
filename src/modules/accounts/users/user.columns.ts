import { rowCount, type CountedRows } from '../../../platform/counts/count-triggers.js';
import type { Computed } from '../../../platform/database/row-shape.js';

/** Computed properties of a user. */
export const USER_COMPUTED: readonly Computed[] = [
  { property: 'needsToVerifyEmail', kind: 'boolean', sql: 'NOT t.email_verified' },
  { property: 'fullName', kind: 'text', sql: `nullif(concat_ws(' ', t.first_name, t.last_name), '')` },
  { property: 'twoFactorAuthEnabled', kind: 'boolean', sql: 't.two_factor_key IS NOT NULL' },
];

/** SQL of the issue time of a session token, from the clock that also sets the cutoff, and never before the cutoff. */
export const ISSUED_AT = `greatest(clock_timestamp(), t.token_cutoff) AS "issuedAt"`;
/** SQL of a cutoff that revokes every session token issued earlier. The row must be locked. */
export const NEXT_CUTOFF = `greatest(token_cutoff, date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond')`;

/** Resources administered by users: the table, its members, and the column of a member that references it. */
export const MEMBERSHIP_TABLES = [
  {
    kind: 'organization',
    table: 'orgs',
    members: 'org_members',
    key: 'org_id',
    there: 'p.deleted_at IS NULL',
  },
  { kind: 'instance', table: 'instances', members: 'instance_members', key: 'instance_id', there: 'true' },
] as const;
export type MembershipTable = (typeof MEMBERSHIP_TABLES)[number];

/** Count of users of instances. */
export const COUNTED_USERS: readonly CountedRows[] = [
  {
    table: 'users',
    holder: 'instance_id',
    amounts: rowCount('userCount'),
    where: 'r.permanent_deletion IS NULL',
  },
];
