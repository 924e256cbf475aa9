import { compileAdvancedQuery } from '../../../platform/lists/advanced-query.js';
import { globToLike } from '../../../platform/lists/glob.js';
import type { FollowedGroups } from '../../devices/devices/device-selection.columns.js';
import { eventQueryFields } from './event.columns.js';
import type { EventState } from './event.schemas.js';

/** Which events something is for: those in a state whose subject is such, or in place of both what a query finds. */
export interface EventSelection {
  state?: EventState;
  /** A glob. */
  filter?: string;
  query?: object;
}

/**
 * The condition that an event `t` is selected. What it binds is added to `values`; that `t` is of the application stands beside
 * it. Where the query asks for groups, `followed` is what `followGroups` found of them.
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
