import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import type { RequestedQuery } from '../../../platform/lists/list-query.js';
import type { DeviceNamesQuery } from './device-names.query.js';
import { MAX_NAMES, type DeviceSummary } from './device-names.resource.js';
import { deviceQueryFields } from './device-query.columns.js';
import { reachSql } from './device-selection.columns.js';
import type { DeviceClass } from './device.schemas.js';
import { resolvedQuery, searchResolution } from './resolved-groups.js';

/** Source of names: a table with a row for each name of each device. */
interface Source {
  table: string;
  /** Column of the name. Its index starts with the application and the columns of `fixed`, followed by this column. */
  name: string;
  /** Condition on a row `g`. */
  fixed: string;
  /** Condition on a name `n.name`, tested after it is found. */
  met?: string;
}

/** `$2` is the prefix of the names, `$3` the parameter of the source. */
const TAG_KEYS: Source = { table: 'device_tags', name: 'key', fixed: '$3::text IS NULL' };
const TAG_VALUES: Source = { table: 'device_tags', name: 'value', fixed: 'g.key = $3' };
const ATTRIBUTE_NAMES: Source = {
  table: 'device_attribute_names',
  name: 'name',
  fixed: 'true',
  met: `($3::text[] IS NULL OR EXISTS (SELECT FROM device_attribute_names g WHERE g.application_id = $1
    AND g.name = n.name AND g.data_type = ANY ($3) AND NOT g.deleted))`,
};

/**
 * Returns SQL for the names of all devices of an application. Each name is found from the previous one in the index, in
 * which names with the same prefix are adjacent. The cost depends on the number of names, not of devices.
 */
const ofAll = ({ table, name, fixed, met = 'true' }: Source): string => {
  const next = (than: string) => `(SELECT g.${name} FROM ${table} g
    WHERE g.application_id = $1 AND ${fixed} AND g.${name} ${than} AND NOT g.deleted ORDER BY g.${name} LIMIT 1)`;
  return `WITH RECURSIVE n (name) AS (
      SELECT ${next('>= $2')}
      UNION ALL SELECT ${next('> n.name')} FROM n WHERE starts_with(n.name, $2))
    SELECT n.name FROM n WHERE starts_with(n.name, $2) AND ${met} LIMIT ${MAX_NAMES}`;
};

/** Returns SQL for the names of the devices that match a condition. */
const ofSome = ({ table, name, fixed, met = 'true' }: Source, condition: string): string =>
  `SELECT n.name FROM (SELECT DISTINCT g.${name} AS name FROM devices t JOIN ${table} g ON g.device_id = t.id
      WHERE t.application_id = $1 AND t.deleted_at IS NULL AND ${condition} AND ${fixed}
      AND starts_with(g.${name}, $2)) n WHERE ${met} ORDER BY n.name LIMIT ${MAX_NAMES}`;

/** Reads the names used by the devices of an application. */
@Injectable()
export class DeviceNamesRepository {
  constructor(private readonly database: Database) {}

  tagKeys(application: ApplicationAccess, query: DeviceNamesQuery): Promise<string[]> {
    return this.names(TAG_KEYS, application, query, null);
  }

  tagValues(application: ApplicationAccess, key: string, query: DeviceNamesQuery): Promise<string[]> {
    return this.names(TAG_VALUES, application, query, key);
  }

  /** Returns the names of attributes, optionally of the given data types only. */
  attributeNames(
    application: ApplicationAccess,
    dataTypes: readonly string[] | undefined,
    query: DeviceNamesQuery,
  ): Promise<string[]> {
    return this.names(ATTRIBUTE_NAMES, application, query, dataTypes ?? null);
  }

  /** Returns devices sorted by name. */
  async devices(
    application: ApplicationAccess,
    { query: asked, startsWith }: DeviceNamesQuery,
  ): Promise<DeviceSummary[]> {
    const query = await this.followed(application, asked);
    const values: unknown[] = [application.id];
    const conditions = [reachSql(application, values), query?.condition(values) ?? 'true'];
    if (startsWith !== undefined) conditions.push(`starts_with(t.name, $${values.push(startsWith)})`);
    const text = `SELECT t.id, t.name, t.device_class FROM devices t WHERE t.application_id = $1
      AND t.deleted_at IS NULL AND ${conditions.join(' AND ')} ORDER BY t.name, t.id LIMIT ${MAX_NAMES}`;
    const parameter = query ? 'query' : startsWith === undefined ? undefined : 'startsWith';
    const rows = parameter
      ? await this.database.search({ text, values }, { owner: application.ownerId, parameter })
      : await this.database.run({ text, values });
    return rows.map(([id, name, deviceClass]) => ({
      id: id!,
      name: name!,
      deviceClass: deviceClass as DeviceClass,
    }));
  }

  private async names(
    source: Source,
    application: ApplicationAccess,
    { query: given, startsWith = '' }: DeviceNamesQuery,
    asked: string | readonly string[] | null,
  ): Promise<string[]> {
    const query = await this.followed(application, given);
    const values: unknown[] = [application.id, startsWith, asked];
    if (!query && !application.devices) {
      const rows = await this.database.run(prepared(ofAll(source), values));
      return rows.map(([name]) => name!);
    }
    const condition = `${reachSql(application, values)} AND ${query?.condition(values) ?? 'true'}`;
    const statement = { text: ofSome(source, condition), values };
    const rows = await this.database.search(statement, { owner: application.ownerId, parameter: 'query' });
    return rows.map(([name]) => name!);
  }

  private async followed(
    application: ApplicationAccess,
    query: RequestedQuery | undefined,
  ): Promise<RequestedQuery | undefined> {
    return (
      query && resolvedQuery(query, deviceQueryFields, searchResolution(this.database, application, 'query'))
    );
  }
}
