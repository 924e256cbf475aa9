import type { Computed } from '../../platform/database/row-shape.js';

/** What is shown of a user beside the columns. */
export const USER_COMPUTED: readonly Computed[] = [
  { property: 'needsToVerifyEmail', kind: 'boolean', sql: 'NOT t.email_verified' },
  { property: 'fullName', kind: 'text', sql: `nullif(concat_ws(' ', t.first_name, t.last_name), '')` },
  { property: 'twoFactorAuthEnabled', kind: 'boolean', sql: 't.two_factor_key IS NOT NULL' },
];
