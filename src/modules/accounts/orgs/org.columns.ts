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
export const PLACES_TAKEN = `${countSql('t.id', `'memberCount'`)} + (SELECT count(*) FROM org_invites i
  WHERE i.org_id = t.id AND NOT ${expiredSql('i')})`;
