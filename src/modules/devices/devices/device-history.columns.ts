import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Database } from '../../../platform/database/database.js';
import { NotFound } from '../../../lib/errors/errors.js';
import { boundsOf, type HistoryQuery } from '../../../platform/lists/history-query.js';
import type { SortDirection } from '../../../platform/lists/list-query.js';
import { reachedStatement, reachSql } from './device-selection.columns.js';

/** Table with rows of devices, ordered by time. */
interface History {
  table: 'device_commands' | 'device_connections';
  /** Columns to read besides `time`. */
  columns: readonly string[];
}

/** SQL that returns one row without a time if the device exists but has no rows in the time range. */
const historySql = ({ table, columns }: History, reach: string, direction: SortDirection) =>
  `SELECT ${['time', ...columns].map((column) => `c.${column}`).join(', ')}
  FROM devices t LEFT JOIN LATERAL (
    SELECT c.* FROM ${table} c
    WHERE c.device_id = t.id AND c.time > $3 AND c.time >= $4 AND c.time <= $5
    ORDER BY c.time ${direction}, c.id ${direction} LIMIT $6) c ON true
  WHERE t.application_id = $1 AND t.id = $2 AND t.deleted_at IS NULL AND ${reach}
  ORDER BY c.time ${direction}, c.id ${direction}`;

/**
 * Returns the rows of a device in the time range of the query. Throws a 404 error if the device does not exist or the
 * caller cannot access it.
 */
export async function deviceHistory<Row extends { time: Date }>(
  database: Database,
  history: History,
  application: ApplicationAccess,
  deviceId: string,
  query: HistoryQuery,
): Promise<Row[]> {
  const values: unknown[] = [application.id, deviceId, ...boundsOf(query), query.limit];
  const reach = reachSql(application, values);
  const text = historySql(history, reach, query.sortDirection);
  const statement = { ...reachedStatement(reach, text, values), sizedBy: 'limit' };
  const rows = await database.rows<Row | { time: null }>(statement);
  if (rows.length === 0) throw new NotFound('Device');
  return rows.filter((row): row is Row => row.time !== null);
}
