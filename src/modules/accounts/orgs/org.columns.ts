import { countSql } from '../../../platform/counts/counts.js';
import { INVITE_TTL_SECONDS } from '../../../platform/counts/summaries.js';
import type { Computed } from '../../../platform/database/row-shape.js';

/** Beside its column, which is empty where the document says `false`. */
export const DISABLED_AT: Computed = {
  property: 'disabledAt',
  kind: 'json',
  sql: `coalesce(to_json(to_char(t.disabled_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), 'false')`,
};

/** Whether it is too late to answer an invitation that goes by `alias` in a statement. */
export const expiredSql = (alias: string): string =>
  `(${alias}.invite_date <= now() - interval '${INVITE_TTL_SECONDS} seconds')`;

/** What the limit of members of the organization `t` counts: an invitation that is open holds a place for whom it is for. */
export const PLACES_TAKEN = `${countSql('t.id', `'memberCount'`)} + (SELECT count(*) FROM org_invites i
  WHERE i.org_id = t.id AND NOT ${expiredSql('i')})`;
