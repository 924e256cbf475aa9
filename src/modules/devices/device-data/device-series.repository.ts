import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import type { Search } from '../../../platform/database/searches.js';
import { boundedSql, textsById, TOO_MANY_VALUES_ROW } from './bounded.columns.js';
import { isoSql } from './device-values.columns.js';
import { seriesSql, type Bind } from './series.columns.js';
import type { SeriesQuery } from './series-query.js';

/** Attribute of a device, identified by the number that its points reference. */
export interface Series {
  deviceId: string;
  attribute: number;
  name: string;
}

/** Reads time series of devices. */
@Injectable()
export class DeviceSeriesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns the points of each device that has any, as a JSON list by device ID; throws a 400 error if there are too
   * many for a response.
   */
  async points(
    applicationId: string,
    series: readonly Series[],
    query: SeriesQuery,
    search: Search,
  ): Promise<Map<string, string>> {
    const rows = await this.database.search(statementOf(applicationId, series, query), search);
    return textsById(rows, search.parameter);
  }
}

/** Planned with its parameter values: the best plan depends on the share of a table that is within the time range. */
function statementOf(applicationId: string, series: readonly Series[], query: SeriesQuery) {
  const values: unknown[] = [];
  const bind: Bind = (value, type) => `$${values.push(value)}::${type}`;
  const application = bind(applicationId, 'text');
  const lists = [
    bind(
      series.map(({ deviceId }) => deviceId),
      'text[]',
    ),
    bind(
      series.map(({ attribute }) => attribute),
      'integer[]',
    ),
    bind(
      series.map(({ name }) => name),
      'text[]',
    ),
  ];
  const direction = query.order === 'desc' ? 'DESC' : 'ASC';
  const within = query.limit === null ? '' : `WHERE p.place <= ${bind(query.limit, 'bigint')}`;
  const text = `WITH w AS MATERIALIZED (SELECT * FROM unnest(${lists.join(', ')}) w (device_id, attribute, name)),
    ${boundedSql(seriesSql(application, query, bind))}
    SELECT p.device_id, '[' || string_agg('{"time":"' || ${isoSql('p.step')} || '","data":{' || p.members || '}}', ','
      ORDER BY p.place) || ']'
    FROM (SELECT v.device_id, v.step, string_agg('"' || v.name || '":' || v.value, ',') AS members,
        row_number() OVER (PARTITION BY v.device_id ORDER BY v.step ${direction}) AS place
      FROM v WHERE NOT (SELECT many FROM n) GROUP BY v.device_id, v.step) p ${within}
    GROUP BY p.device_id UNION ALL ${TOO_MANY_VALUES_ROW}`;
  return { text, values };
}
