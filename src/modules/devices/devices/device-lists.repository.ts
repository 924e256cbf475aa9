import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { countSql } from '../../../platform/counts/counts.js';
import { Database } from '../../../platform/database/database.js';
import type { RowShape } from '../../../platform/database/row-shape.js';
import { runList, type RunListOptions } from '../../../platform/lists/run-list.js';
import { StoredPage } from '../../../platform/responses/stored-resources.js';
import { deviceQueryFields } from './device-query.columns.js';
import { amongTaggedSql, reachedSql, reachSql, selectionSql } from './device-selection.columns.js';
import type { DeviceForm } from './device.forms.js';
import type { DevicesQuery } from './devices.query.js';
import { resolvedQuery, searchResolution } from './resolved-groups.js';

const TABLE = 'devices';
/** Devices with the connection status by which they are sorted. */
const BY_CONNECTION = `(SELECT d.*, s.connected AS connection_status FROM devices d
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
    const [searchedBy, found] = search(application.id, asked, values);
    where.push(...found);
    const among = amongTaggedSql(application.id, list.query, values);
    if (among) where.push(among);
    const isFound = among !== undefined || searchedBy !== undefined;
    const reach = isFound ? reachSql(application, values) : reachedSql(application, values);
    if (reach !== 'true') where.push(reach);
    const isWhole = !queryDeleted && reach === 'true' && !searchedBy;
    const options: RunListOptions = {
      table: list.sortField === 'connectionStatus' ? BY_CONNECTION : TABLE,
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

/** Returns the search conditions other than the class, and the parameter that caused them. */
function search(
  applicationId: string,
  { tagFilter = [], parentId }: Partial<DeviceListParameters>,
  values: unknown[],
): [searchedBy: string | undefined, conditions: string[]] {
  const conditions: string[] = [];
  if (tagFilter.length > 0) conditions.push(selectionSql(applicationId, { deviceTags: tagFilter }, values));
  if (parentId === null) conditions.push('t.parent_id IS NULL');
  else if (parentId !== undefined) conditions.push(`t.parent_id = $${values.push(parentId)}`);
  const searchedBy = tagFilter.length > 0 ? 'tagFilter' : 'parentId';
  return [conditions.length > 0 ? searchedBy : undefined, conditions];
}

/** Returns the parameter that requires sorting the whole list, if any. */
function wholeSearch(sortField: string, queryDeleted: boolean): string | undefined {
  if (sortField === 'connectionStatus') return 'sortField';
  return queryDeleted ? 'queryDeleted' : undefined;
}
