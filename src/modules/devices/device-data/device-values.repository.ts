import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { Database } from '../../../platform/database/database.js';
import type { Search } from '../../../platform/database/searches.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound } from '../../../lib/errors/errors.js';
import type { SortDirection } from '../../../platform/lists/list-query.js';
import { reachSql } from '../devices/device-selection.columns.js';
import { boundedSql, textsById, tooManyValuesError, TOO_MANY_VALUES_ROW } from './bounded.columns.js';
import { COMPOSITE_SQL, isoSql, LAST_SQL, newestSql, VALUE_SQL } from './device-values.columns.js';

/** Time range, both ends inclusive, and attributes of values; all attributes if `names` is `undefined`. */
export interface ValueSelection {
  start: Date;
  end: Date;
  names?: readonly string[];
}

/** Selection of a device's reports: the first `limit` of a time range in the given direction. */
export interface ReportSelection {
  start: Date;
  end: Date;
  limit: number;
  direction: SortDirection;
}

const NEWEST = newestSql({ start: '$3::bigint', end: '$4::bigint', names: '$5' });
const DEVICE_CONDITION = 'FROM devices t WHERE t.application_id = $1 AND t.id = $2 AND t.deleted_at IS NULL';

/**
 * Returns SQL for all devices that have values. The devices were selected just before, so access is not checked again.
 */
const ofMany = (
  written: string,
) => `WITH ${boundedSql(`SELECT t.id, c.* FROM devices t CROSS JOIN LATERAL (${NEWEST}) c
    WHERE t.application_id = $1 AND t.id = ANY ($2::text[])`)}
  SELECT v.id, ${written} FROM v WHERE NOT (SELECT many FROM n) GROUP BY v.id UNION ALL ${TOO_MANY_VALUES_ROW}`;
const COMPOSITES = ofMany(COMPOSITE_SQL);
const LAST = ofMany(LAST_SQL);

/** Returns SQL for the first points of each attribute of the device `t`, which include those of its first reports. */
const pointsSql = (order: string) => `SELECT a.name, p.time, p.value FROM t
  CROSS JOIN LATERAL jsonb_each_text(t.attribute_numbers) a (name, number)
  CROSS JOIN LATERAL (SELECT p.time, ${VALUE_SQL} AS value FROM device_points p
    WHERE p.application_id = t.application_id AND p.device_id = t.id AND p.attribute = a.number::int
      AND p.time BETWEEN $3::bigint AND $4::bigint
    ORDER BY p.time ${order} LIMIT $5::bigint) p`;

/**
 * Returns SQL for the device and its reports as a JSON list, or `NULL` instead of the list if there are too many for a
 * response.
 */
const reportsSql = (
  order: string,
  reach: string,
) => `WITH t AS MATERIALIZED (SELECT t.* ${DEVICE_CONDITION} AND ${reach}),
    ${boundedSql(pointsSql(order))}
  SELECT t.id, CASE WHEN n.many THEN NULL ELSE (SELECT '[' || coalesce(string_agg('{"time":"' || ${isoSql('r.time')} || '","data":{' || r.members || '}}', ','
      ORDER BY r.time ${order}), '') || ']'
    FROM (SELECT v.time, string_agg('"' || v.name || '":' || v.value, ',') AS members FROM v
      GROUP BY v.time ORDER BY v.time ${order} LIMIT $5::bigint) r) END
  FROM t CROSS JOIN n`;

/** Reads values of devices, formatted as in responses. */
@Injectable()
export class DeviceValuesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns the newest value of each attribute of a device within a time range; throws a 404 error if the device does
   * not exist.
   */
  async composite(application: ApplicationAccess, deviceId: string, of: ValueSelection): Promise<string> {
    const values: unknown[] = [application.id, deviceId, ...asked(of)];
    const reach = reachSql(application, values);
    const text = `SELECT (SELECT ${COMPOSITE_SQL} FROM (${NEWEST}) v) ${DEVICE_CONDITION} AND ${reach}`;
    const [row] = await this.database.run(prepared(text, values));
    if (!row) throw new NotFound('Device');
    return row[0]!;
  }

  /** Returns the newest values of many devices, by device ID. */
  async composites(
    applicationId: string,
    deviceIds: readonly string[],
    of: ValueSelection,
    search: Search,
  ): Promise<Map<string, string>> {
    return this.ofMany(COMPOSITES, [applicationId, deviceIds, ...asked(of)], search);
  }

  /**
   * Returns the newest values of many devices by ID, with only the time of the newest one. Devices without values are
   * omitted.
   */
  async last(
    applicationId: string,
    deviceIds: readonly string[],
    of: ValueSelection,
    search: Search,
  ): Promise<Map<string, string>> {
    return this.ofMany(LAST, [applicationId, deviceIds, ...asked(of)], search);
  }

  /**
   * Returns reports of a device within a time range as a JSON list; throws a 404 error if the device does not exist.
   * Points with the same millisecond form one report.
   */
  async reports(application: ApplicationAccess, deviceId: string, of: ReportSelection): Promise<string> {
    const values: unknown[] = [application.id, deviceId, of.start.getTime(), of.end.getTime(), of.limit];
    const reach = reachSql(application, values);
    const statement = prepared(reportsSql(of.direction === 'desc' ? 'DESC' : 'ASC', reach), values);
    // A single report is found by key; several require a search.
    const search = { owner: application.ownerId, parameter: 'limit' };
    const [row] = await (of.limit === 1
      ? this.database.run(statement)
      : this.database.search(statement, search));
    if (!row) throw new NotFound('Device');
    if (row[1] === null || row[1] === undefined) throw tooManyValuesError('limit');
    return row[1];
  }

  private async ofMany(text: string, values: unknown[], search: Search): Promise<Map<string, string>> {
    return textsById(await this.database.search(prepared(text, values), search), search.parameter);
  }
}

const asked = ({ start, end, names }: ValueSelection): unknown[] => [
  start.getTime(),
  end.getTime(),
  names ?? null,
];
