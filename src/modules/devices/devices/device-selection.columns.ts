import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Statement } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { compileAdvancedQuery } from '../../../platform/lists/advanced-query.js';
import { every, some } from '../../../platform/lists/query-operators.js';
import type { GroupCondition } from './device-groups.columns.js';
import { deviceQueryFields } from './device-query.columns.js';
import { tagsNeededBy, type TagTest } from './device-query.tags.js';
import type { DeviceSelection } from './device-selection.js';
import type { TagFilter } from './device.schemas.js';

/** Returns the conditions that result from queries of the requested groups; adds their parameters to `values`. */
export type FollowedGroups = (asked: GroupCondition, values: unknown[]) => readonly string[];

/**
 * For queries without groups. If a query contains groups, these must be resolved, or devices would be missing without
 * an error.
 */
const GROUPS_UNSUPPORTED: FollowedGroups = ({ by }) => {
  throw new Error(`A query contains a ${by}, but its groups were not resolved`);
};

/**
 * Returns the condition that selects a device `t` of the application by its ID, by a tag, or by the query. An empty
 * selection selects nothing. Parameters are added to `values`. Throws a `ValidationError` for an invalid query. The caller
 * adds the conditions that `t` belongs to the application and is not deleted. If the query contains groups, `followed` is
 * the result of `resolveGroups`. The condition is tested for each device: `selectedDevices` finds them by indexes.
 */
export function selectionSql(
  { deviceIds = [], deviceTags = [], deviceQuery }: DeviceSelection,
  values: unknown[],
  followed?: FollowedGroups,
): string {
  const met: string[] = [];
  if (deviceIds.length > 0) met.push(`t.id = ANY (${idsSql(deviceIds, values)})`);
  if (deviceTags.length > 0) met.push(hasTagSql(deviceTags, values));
  if (deviceQuery !== undefined) met.push(querySql(deviceQuery, values, followed));
  return met.length > 0 ? some(met) : 'false';
}

/**
 * Like `selectionSql`, for a query in a statement that finds all devices at once: uses the tags required by the query, if
 * any.
 */
export function wholeQuerySql(
  applicationId: string,
  deviceQuery: object,
  values: unknown[],
  followed?: FollowedGroups,
): string {
  const selected = querySql(deviceQuery, values, followed);
  const needed = neededTagsSql(applicationId, deviceQuery, values);
  return needed ? `t.id = ANY (ARRAY(${needed})) AND ${selected}` : selected;
}

/** A table of devices `t`, and the condition that the selected ones meet. */
export interface SelectedDevices {
  table: string;
  where: string;
  /** Column of the device IDs in their order. A page sorted by it reads the devices of the page only. */
  id: string;
}

/** Properties of a statement that finds selected devices. */
export interface Finding {
  followed?: FollowedGroups;
  /** For a page: SQL of the ID after which it begins. */
  after?: string;
  /** Whether the tags that a query requires find its devices: not in small pages, because each builds the set again. */
  usesTags?: boolean;
}

/**
 * Returns the table in which a statement finds the devices that `selectionSql` selects, by indexes and also without
 * statistics. Unknown IDs and IDs of other applications are ignored if the caller adds the conditions on the application.
 */
export function selectedDevices(
  applicationId: string,
  { deviceIds = [], deviceTags = [], deviceQuery }: DeviceSelection,
  values: unknown[],
  { followed, after, usesTags = after === undefined }: Finding = {},
): SelectedDevices {
  if (deviceQuery !== undefined && deviceIds.length === 0 && deviceTags.length === 0) {
    const where = querySql(deviceQuery, values, followed);
    const needed = usesTags ? neededTagsSql(applicationId, deviceQuery, values) : undefined;
    if (needed) return { table: devicesWithIds(needed, after), where, id: 't.found_id' };
    const following = after === undefined ? where : `t.id > ${after} AND ${where}`;
    return { table: 'devices', where: following, id: 't.id' };
  }
  // Each part finds its devices by a separate index; conditions combined with OR would be tested for every device.
  const sets = [`SELECT unnest(${idsSql(deviceIds, values)})`];
  if (deviceTags.length > 0) sets.push(taggedSql(applicationId, deviceTags, values));
  if (deviceQuery !== undefined)
    sets.push(`SELECT t.id FROM devices t WHERE t.application_id = $${values.push(applicationId)}
      AND ${querySql(deviceQuery, values, followed)}`);
  return { table: devicesWithIds(sets.join(' UNION ALL '), after), where: 'true', id: 't.found_id' };
}

/**
 * Returns SQL for the devices with these IDs, sorted by `found_id`; those after an ID if one is given. `OFFSET 0` looks up
 * each of them by its ID: without statistics, the planner takes the devices of an application for few and would read all
 * of them.
 */
export const devicesWithIds = (ids: string, after?: string): string =>
  `(SELECT d.*, m.id AS found_id
    FROM (SELECT DISTINCT m.id FROM (${ids}) m (id)${after === undefined ? '' : ` WHERE m.id > ${after}`} ORDER BY m.id) m
    CROSS JOIN LATERAL (SELECT * FROM devices r WHERE r.id = m.id OFFSET 0) d)`;

const idsSql = (ids: readonly string[], values: unknown[]): string =>
  `$${values.push(ids.map((id) => id.toLowerCase()))}::text[]`;

/** Tested for each device: the set of all devices with the tags would be built for each page. */
const hasTagSql = (tags: readonly TagFilter[], values: unknown[]): string =>
  // `OFFSET 0` keeps the planner from building the set.
  `EXISTS (SELECT FROM device_tags g WHERE g.device_id = t.id AND ${tagTests(tags, values)} OFFSET 0)`;

/**
 * Returns the condition that the caller can access a device `t` of a visible application; `true` if access is not
 * restricted. Parameters are added to `values`.
 */
export function reachSql({ devices }: Pick<ApplicationAccess, 'devices'>, values: unknown[]): string {
  if (!devices) return 'true';
  return selectionSql(devices, values);
}

/** Returns the statement with the condition `reach` of `reachSql`; without a restriction its text is constant. */
export const reachedStatement = (reach: string, text: string, values: readonly unknown[]): Statement =>
  reach === 'true' ? prepared(text, values) : { text, values };

/**
 * Returns SQL for the IDs of all devices that the caller can access; `undefined` if access is not restricted. For lists:
 * the set is built once, whereas the condition above would be tested for every device of the application.
 */
export function reachedIdsSql(
  { id, devices }: Pick<ApplicationAccess, 'id' | 'devices'>,
  values: unknown[],
): string | undefined {
  if (!devices) return undefined;
  const ids = `SELECT unnest(${idsSql(devices.deviceIds, values)})`;
  if (devices.deviceTags.length === 0) return ids;
  return `${ids} UNION ALL ${taggedSql(id, devices.deviceTags, values)}`;
}

/**
 * Returns SQL for the IDs of the devices that have the tags that a query requires; `undefined` if it requires none. It
 * is used in addition to the query, in statements that find all devices at once; with paging, each page would build the
 * set again.
 */
export function neededTagsSql(applicationId: string, query: unknown, values: unknown[]): string | undefined {
  const [first, ...others] = tagsNeededBy(query);
  if (!first) return undefined;
  const among = others.map(
    (tests, i) =>
      ` AND EXISTS (SELECT FROM device_tags g${i} WHERE g${i}.device_id = g.device_id AND ${testsSql(`g${i}`, tests, values)})`,
  );
  return `SELECT g.device_id FROM device_tags g
    WHERE g.application_id = $${values.push(applicationId)} AND ${testsSql('g', first, values)}${among.join('')}`;
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

function querySql(query: object, values: unknown[], followed = GROUPS_UNSUPPORTED): string {
  const fields = deviceQueryFields((asked) => followed(asked, values));
  return compileAdvancedQuery(query, fields, values, 'deviceQuery');
}

/**
 * Returns SQL for the IDs, as `device_id`, of all devices of the application that have one of the tags. Devices with
 * several of the tags are repeated.
 */
export const taggedSql = (applicationId: string, tags: readonly TagFilter[], values: unknown[]): string =>
  `SELECT g.device_id FROM device_tags g
    WHERE g.application_id = $${values.push(applicationId)} AND ${tagTests(tags, values)}`;

/** Returns the condition that a row `g` is one of the tags. */
const tagTests = (tags: readonly TagFilter[], values: unknown[]): string =>
  some(
    tags.map(({ key, value }) =>
      every([
        ...(key === undefined ? [] : [`g.key = $${values.push(key)}`]),
        ...(value === undefined ? [] : [`g.value = $${values.push(value)}`]),
      ]),
    ),
  );
