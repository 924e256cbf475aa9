import { compileAdvancedQuery } from '../../../platform/lists/advanced-query.js';
import { globToLike } from '../../../platform/lists/glob.js';
import type { FollowedGroups } from '../../devices/devices/device-selection.columns.js';
import { eventQueryFields } from './event.columns.js';
import type { EventState } from './event.schemas.js';

/** Selection of events: by state and subject, or by a query, which overrides both. */
export interface EventSelection {
  state?: EventState;
  /** A glob. */
  filter?: string;
  query?: object;
}

/**
 * Returns the SQL condition that event `t` is selected and adds its values to `values`. The caller adds the condition
 * on the application. `followed` contains the results of `resolveGroups` if the query uses groups.
 */
export function selectedSql(
  { state, filter, query }: EventSelection,
  values: unknown[],
  followed: FollowedGroups,
): string {
  const fields = eventQueryFields((asked) => followed(asked, values));
  if (query !== undefined) return compileAdvancedQuery(query, fields, values);
  const conditions = ['true'];
  if (state !== undefined) conditions.push(`t.state = $${values.push(state)}`);
  if (filter !== undefined)
    conditions.push(`t.subject ILIKE $${values.push(globToLike(filter))} ESCAPE '\\'`);
  return conditions.join(' AND ');
}
