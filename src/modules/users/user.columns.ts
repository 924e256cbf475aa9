import type { Computed } from '../../platform/database/row-shape.js';

/** What is shown of a user beside the columns. */
export const USER_COMPUTED: readonly Computed[] = [
  { property: 'needsToVerifyEmail', kind: 'boolean', sql: 'NOT t.email_verified' },
  { property: 'fullName', kind: 'text', sql: `nullif(concat_ws(' ', t.first_name, t.last_name), '')` },
  { property: 'twoFactorAuthEnabled', kind: 'boolean', sql: 't.two_factor_key IS NOT NULL' },
];

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
