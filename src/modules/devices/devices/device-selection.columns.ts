import type { ApplicationAccess } from '../../../platform/access/request.js';
import { compileAdvancedQuery } from '../../../platform/lists/advanced-query.js';
import { every, some } from '../../../platform/lists/query-operators.js';
import type { AskedGroups } from './device-groups.columns.js';
import { deviceQueryFields } from './device-query.columns.js';
import { tagsNeededBy, type TagTest } from './device-query.tags.js';
import type { DeviceSelection } from './device-selection.js';
import type { TagFilter } from './device.schemas.js';

/** Conditions that queries of groups are, of those groups for which a query asks; what they bind is added to `values`. */
export type FollowedGroups = (asked: AskedGroups, values: unknown[]) => readonly string[];

/** Of a query that asks for no groups. Where one does, they have to be followed, or devices would be missed in silence. */
const NOT_FOLLOWED: FollowedGroups = ({ by }) => {
  throw new Error(`A query asks for a ${by}, and groups were not followed`);
};

/**
 * The condition that a device `t` of the application is selected: by its id, by a tag, or by the query, whichever there is; where
 * nothing is given, none is. Ids that there are not, or that are another application's, select nothing. What it binds is added
 * to `values`. Throws `ValidationError` for a query that means nothing. The condition that `t` is of the application, and is not
 * deleted, stands beside it. Where the query asks for groups, `followed` is what `followGroups` found of them.
 */
export function selectionSql(
  applicationId: string,
  { deviceIds = [], deviceTags = [], deviceQuery }: DeviceSelection,
  values: unknown[],
  followed?: FollowedGroups,
): string {
  const ids = deviceIds.map((id) => id.toLowerCase());
  const isEmpty = ids.length === 0 && deviceTags.length === 0;
  if (deviceQuery !== undefined && isEmpty) return querySql(deviceQuery, values, followed);
  if (deviceTags.length === 0 && deviceQuery === undefined)
    return `t.id = ANY ($${values.push(ids)}::text[])`;
  // Each part finds its devices by an index of its own; conditions joined by OR would be asked of every device.
  const sets: string[] = [];
  if (ids.length > 0) sets.push(`SELECT unnest($${values.push(ids)}::text[])`);
  if (deviceTags.length > 0) sets.push(taggedSql(applicationId, deviceTags, values));
  if (deviceQuery !== undefined)
    sets.push(`SELECT t.id FROM devices t WHERE t.application_id = $${values.push(applicationId)}
      AND ${querySql(deviceQuery, values, followed)}`);
  return `t.id IN (${sets.join(' UNION ')})`;
}

/** The same for a statement that finds all of them at once: by the tags that the query asks for, where it does. */
export function wholeSelectionSql(
  applicationId: string,
  selection: DeviceSelection,
  values: unknown[],
  followed?: FollowedGroups,
): string {
  const selected = selectionSql(applicationId, selection, values, followed);
  const { deviceIds = [], deviceTags = [], deviceQuery } = selection;
  const isQuery = deviceIds.length === 0 && deviceTags.length === 0;
  const among = isQuery ? amongTaggedSql(applicationId, deviceQuery, values) : undefined;
  return among ? `${among} AND ${selected}` : selected;
}

/**
 * The condition that the caller reaches a device `t` of an application that they see; `true` where they reach all. What it
 * binds is added to `values`.
 */
export function reachSql(
  { id, devices }: Pick<ApplicationAccess, 'id' | 'devices'>,
  values: unknown[],
): string {
  if (!devices) return 'true';
  const ids = `t.id = ANY ($${values.push(devices.deviceIds.map((one) => one.toLowerCase()))}::text[])`;
  if (devices.deviceTags.length === 0) return ids;
  // Asked of one device, or of a page: a set of all that are reached would be made for each of them.
  return `(${ids} OR EXISTS (${taggedSql(id, devices.deviceTags, values)} AND g.device_id = t.id))`;
}

/**
 * The same for a list of all of them: a set that is made once, by ids and tags, where the condition above would be asked of
 * every device of the application.
 */
export function reachedSql(
  { id, devices }: Pick<ApplicationAccess, 'id' | 'devices'>,
  values: unknown[],
): string {
  if (!devices || devices.deviceTags.length === 0) return reachSql({ id, devices }, values);
  const ids = `$${values.push(devices.deviceIds.map((one) => one.toLowerCase()))}::text[]`;
  return `t.id = ANY (ARRAY(SELECT unnest(${ids}) UNION ALL ${taggedSql(id, devices.deviceTags, values)}))`;
}

/**
 * The condition that a device `t` is among those that have the tags which a query asks for at least, as a set that is made once,
 * by an index; nothing where it asks for none. It stands beside the query, which decides, in statements that find all devices at
 * once: of pages one after the other each would make the set anew.
 */
export function amongTaggedSql(applicationId: string, query: unknown, values: unknown[]): string | undefined {
  const [first, ...others] = tagsNeededBy(query);
  if (!first) return undefined;
  const among = others.map(
    (tests, i) =>
      ` AND EXISTS (SELECT FROM device_tags g${i} WHERE g${i}.device_id = g.device_id AND ${testsSql(`g${i}`, tests, values)})`,
  );
  return `t.id = ANY (ARRAY(SELECT g.device_id FROM device_tags g
    WHERE g.application_id = $${values.push(applicationId)} AND ${testsSql('g', first, values)}${among.join('')}))`;
}

const testsSql = (tag: string, tests: readonly TagTest[], values: unknown[]): string =>
  some(
    tests.map(({ keys, values: texts }) =>
      every([
        ...(keys ? [`${tag}.key = ANY ($${values.push(keys)}::text[])`] : []),
        ...(texts ? [`${tag}.value = ANY ($${values.push(texts)}::text[])`] : []),
      ]),
    ),
  );

function querySql(query: object, values: unknown[], followed = NOT_FOLLOWED): string {
  const fields = deviceQueryFields((asked) => followed(asked, values));
  return compileAdvancedQuery(query, fields, values, 'deviceQuery');
}

/** SQL of the ids, as `device_id`, of all devices of the application that have one of the tags; of one that has several, as often. */
export function taggedSql(applicationId: string, tags: readonly TagFilter[], values: unknown[]): string {
  const of = `g.application_id = $${values.push(applicationId)}`;
  const tests = tags.map(({ key, value }) => {
    const parts = [of];
    if (key !== undefined) parts.push(`g.key = $${values.push(key)}`);
    if (value !== undefined) parts.push(`g.value = $${values.push(value)}`);
    return parts.join(' AND ');
  });
  return `SELECT g.device_id FROM device_tags g WHERE (${some(tests.map((test) => `(${test})`))})`;
}
