import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { countSql } from '../../../platform/counts/counts.js';
import { Database } from '../../../platform/database/database.js';
import type { RowShape } from '../../../platform/database/row-shape.js';
import { runList, type RunListOptions } from '../../../platform/lists/run-list.js';
import { StoredPage } from '../../../platform/responses/stored-resources.js';
import { deviceQueryFields } from './device-query.columns.js';
import {
  devicesWithIds,
  neededTagsSql,
  reachedIdsSql,
  reachSql,
  taggedSql,
} from './device-selection.columns.js';
import type { DeviceForm } from './device.forms.js';
import type { DevicesQuery } from './devices.query.js';
import { resolvedQuery, searchResolution } from './resolved-groups.js';

const TABLE = 'devices';
/** Returns SQL for devices with the connection status by which they are sorted. */
const byConnection = (devices: string) => `(SELECT d.*, s.connected AS connection_status FROM ${devices} d
  LEFT JOIN device_states s ON s.device_id = d.id)`;
const TOTAL = countSql('$1', `'deviceCount'`, { parted: true });
/** Returns SQL for the number of devices of the classes in a parameter. */
const totalOf = (classes: string) =>
  `(SELECT coalesce(sum(${countSql('$1', `('deviceCount:' || c.name)`)}), 0) FROM unnest(${classes}) c (name))`;

type DeviceListParameters = Omit<DevicesQuery, 'deviceClass' | keyof DeviceForm> & {
  deviceClass?: readonly string[];
};

/** Lists the devices of an application. */
@Injectable()
export class DeviceListsRepository {
  constructor(private readonly database: Database) {}

  /** Returns a page of devices in the given shape. An advanced query replaces all conditions except `queryDeleted`. */
  async page<T>(
    application: ApplicationAccess,
    { list: given, queryDeleted, ...query }: DeviceListParameters,
    shape: RowShape<T>,
  ): Promise<StoredPage<T>> {
    const following = searchResolution(this.database, application, 'query');
    const list = await resolvedQuery(given, deviceQueryFields, following);
    const values: unknown[] = [application.id];
    const where = ['t.application_id = $1', `t.deleted_at IS ${queryDeleted ? 'NOT NULL' : 'NULL'}`];
    const asked: Partial<DeviceListParameters> = list.condition ? {} : query;
    const classes = asked.deviceClass && `$${values.push(asked.deviceClass)}::text[]`;
    const ofClasses = classes ? [`t.device_class = ANY (${classes})`] : [];
    const [searchedBy, conditions] = search(asked, values);
    where.push(...conditions);
    const found = foundSql(application, asked, list.query, values);
    const reach = reachSql(application, values);
    if (reach !== 'true') where.push(reach);
    const isWhole = !queryDeleted && reach === 'true' && !searchedBy;
    const shown = list.sortField === 'connectionStatus' ? byConnection : (devices: string) => devices;
    const options: RunListOptions = {
      table: shown(TABLE),
      found: found && shown(found),
      owner: application.ownerId,
      where: [...where, ...ofClasses],
      values,
      // Devices that are not deleted have no deletion date to sort by.
      list: !queryDeleted && list.sortField === 'deletedAt' ? { ...list, sortField: 'id' } : list,
      searchedBy: searchedBy ?? wholeSearch(list.sortField, queryDeleted),
      total: isWhole ? (classes ? totalOf(classes) : TOTAL) : undefined,
      // The first devices of each class are found by an index.
      holders: classes ? { ids: classes, column: 't.device_class', where } : undefined,
    };
    const { items, envelope } = await runList(this.database, shape, options);
    return new StoredPage(items, {
      ...envelope,
      applicationId: application.id,
      sortField: list.sortField,
      deviceClass: asked.deviceClass?.length === 1 ? asked.deviceClass[0] : undefined,
      tagFilter: asked.tagFilter,
      parentId: asked.parentId,
      query: list.query,
    });
  }
}

/** Returns the search conditions other than the class, and the parameter that caused a search. */
function search(
  { tagFilter = [], parentId }: Partial<DeviceListParameters>,
  values: unknown[],
): [searchedBy: string | undefined, conditions: string[]] {
  const isTagged = tagFilter.length > 0;
  if (parentId === undefined) return [isTagged ? 'tagFilter' : undefined, []];
  const below = parentId === null ? 't.parent_id IS NULL' : `t.parent_id = $${values.push(parentId)}`;
  return [isTagged ? 'tagFilter' : 'parentId', [below]];
}

/** Returns SQL for the few devices that can match, if an index finds them; `undefined` for all of the application. */
function foundSql(
  application: ApplicationAccess,
  { tagFilter = [], parentId }: Partial<DeviceListParameters>,
  query: unknown,
  values: unknown[],
): string | undefined {
  if (tagFilter.length > 0) return devicesWithIds(taggedSql(application.id, tagFilter, values));
  if (typeof parentId === 'string')
    return `(SELECT * FROM devices d WHERE d.parent_id = $${values.push(parentId)} OFFSET 0)`;
  const ids = neededTagsSql(application.id, query, values) ?? reachedIdsSql(application, values);
  return ids && devicesWithIds(ids);
}

/** Returns the parameter that requires sorting the whole list, if any. */
function wholeSearch(sortField: string, queryDeleted: boolean): string | undefined {
  if (sortField === 'connectionStatus') return 'sortField';
  return queryDeleted ? 'queryDeleted' : undefined;
}
