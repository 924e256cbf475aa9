import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { Database } from '../../../platform/database/database.js';
import type { Search } from '../../../platform/database/searches.js';
import { prepared } from '../../../platform/database/statements.js';
import { NotFound } from '../../../lib/errors/errors.js';
import type { SortDirection } from '../../../platform/lists/list-query.js';
import { reachSql } from '../devices/device-selection.columns.js';
import { boundedSql, textsById, tooMany, TOO_MANY } from './bounded.columns.js';
import { COMPOSITE_SQL, isoSql, LAST_SQL, newestSql, VALUE_SQL } from './device-values.columns.js';

/** Values of a time, both of whose ends are in it; of these attributes, or of all. */
export interface ValuesOf {
  start: Date;
  end: Date;
  names?: readonly string[];
}

/** Which reports of a device: so many of a time, the first in the order. */
export interface ReportsOf {
  start: Date;
  end: Date;
  limit: number;
  direction: SortDirection;
}

const NEWEST = newestSql({ start: '$3::bigint', end: '$4::bigint', names: '$5' });
const OF_ONE = 'FROM devices t WHERE t.application_id = $1 AND t.id = $2 AND t.deleted_at IS NULL';

/** Of each device that has some; those that are asked for were found a moment ago. */
const ofMany = (
  written: string,
) => `WITH ${boundedSql(`SELECT t.id, c.* FROM devices t CROSS JOIN LATERAL (${NEWEST}) c
    WHERE t.application_id = $1 AND t.id = ANY ($2::text[])`)}
  SELECT v.id, ${written} FROM v WHERE NOT (SELECT many FROM n) GROUP BY v.id UNION ALL ${TOO_MANY}`;
const COMPOSITES = ofMany(COMPOSITE_SQL);
const LAST = ofMany(LAST_SQL);

/** The first points of each attribute of the device `t`: among them are those of its first reports. */
const pointsSql = (order: string) => `SELECT a.name, p.time, p.value FROM t
  CROSS JOIN LATERAL jsonb_each_text(t.attribute_numbers) a (name, number)
  CROSS JOIN LATERAL (SELECT p.time, ${VALUE_SQL} AS value FROM device_points p
    WHERE p.application_id = t.application_id AND p.device_id = t.id AND p.attribute = a.number::int
      AND p.time BETWEEN $3::bigint AND $4::bigint
    ORDER BY p.time ${order} LIMIT $5::bigint) p`;

/** The device, and its reports as a JSON list; nothing in their place where they are too many for an answer. */
const reportsSql = (
  order: string,
  reach: string,
) => `WITH t AS MATERIALIZED (SELECT t.* ${OF_ONE} AND ${reach}),
    ${boundedSql(pointsSql(order))}
  SELECT t.id, CASE WHEN n.many THEN NULL ELSE (SELECT '[' || coalesce(string_agg('{"time":"' || ${isoSql('r.time')} || '","data":{' || r.members || '}}', ','
      ORDER BY r.time ${order}), '') || ']'
    FROM (SELECT v.time, string_agg('"' || v.name || '":' || v.value, ',') AS members FROM v
      GROUP BY v.time ORDER BY v.time ${order} LIMIT $5::bigint) r) END
  FROM t CROSS JOIN n`;

/** What devices reported, written as it is answered. */
@Injectable()
export class DeviceValuesRepository {
  constructor(private readonly database: Database) {}

  /** The newest value of each attribute of a device in a time, or 404. */
  async composite(application: ApplicationAccess, deviceId: string, of: ValuesOf): Promise<string> {
    const values: unknown[] = [application.id, deviceId, ...asked(of)];
    const reach = reachSql(application, values);
    const text = `SELECT (SELECT ${COMPOSITE_SQL} FROM (${NEWEST}) v) ${OF_ONE} AND ${reach}`;
    const [row] = await this.database.run(prepared(text, values));
    if (!row) throw new NotFound('Device');
    return row[0]!;
  }

  /** The same of many devices, by id. */
  async composites(
    applicationId: string,
    deviceIds: readonly string[],
    of: ValuesOf,
    search: Search,
  ): Promise<Map<string, string>> {
    return this.ofMany(COMPOSITES, [applicationId, deviceIds, ...asked(of)], search);
  }

  /** The newest values of many devices without their times but the last, by id; a device that has none is left out. */
  async last(
    applicationId: string,
    deviceIds: readonly string[],
    of: ValuesOf,
    search: Search,
  ): Promise<Map<string, string>> {
    return this.ofMany(LAST, [applicationId, deviceIds, ...asked(of)], search);
  }

  /** Reports of a device in a time as a JSON list, or 404. Points of one millisecond are one report. */
  async reports(application: ApplicationAccess, deviceId: string, of: ReportsOf): Promise<string> {
    const values: unknown[] = [application.id, deviceId, of.start.getTime(), of.end.getTime(), of.limit];
    const reach = reachSql(application, values);
    const statement = prepared(reportsSql(of.direction === 'desc' ? 'DESC' : 'ASC', reach), values);
    // The newest report is found by key, many of them are looked for.
    const search = { owner: application.ownerId, parameter: 'limit' };
    const [row] = await (of.limit === 1
      ? this.database.run(statement)
      : this.database.search(statement, search));
    if (!row) throw new NotFound('Device');
    if (row[1] === null || row[1] === undefined) throw tooMany('limit');
    return row[1];
  }

  private async ofMany(text: string, values: unknown[], search: Search): Promise<Map<string, string>> {
    return textsById(await this.database.search(prepared(text, values), search), search.parameter);
  }
}

const asked = ({ start, end, names }: ValuesOf): unknown[] => [start.getTime(), end.getTime(), names ?? null];
