import type { Computed } from '../../../platform/database/row-shape.js';

/** What is shown of a user beside the columns. */
export const USER_COMPUTED: readonly Computed[] = [
  { property: 'needsToVerifyEmail', kind: 'boolean', sql: 'NOT t.email_verified' },
  { property: 'fullName', kind: 'text', sql: `nullif(concat_ws(' ', t.first_name, t.last_name), '')` },
  { property: 'twoFactorAuthEnabled', kind: 'boolean', sql: 't.two_factor_key IS NOT NULL' },
];

/** When a sign-in token is issued, by the clock that sets the cutoff too, and never before that. */
export const ISSUED_AT = `greatest(clock_timestamp(), t.token_cutoff) AS "issuedAt"`;
/** A cutoff that ends every sign-in token which was issued before; it needs the lock of the row to be sure of that. */
export const CUTOFF_NOW = `greatest(token_cutoff, date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond')`;

/** Places that users decide over as admins: their rows, the members of each, and the column of a member that names it. */
export const PLACES = [
  {
    kind: 'organization',
    table: 'orgs',
    members: 'org_members',
    key: 'org_id',
    there: 'p.deleted_at IS NULL',
  },
  { kind: 'instance', table: 'instances', members: 'instance_members', key: 'instance_id', there: 'true' },
] as const;
export type PlaceOfUsers = (typeof PLACES)[number];
